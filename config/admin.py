"""The admin's door is the site's own login, with its throttle and its second step; and no secret is shown there."""

from importlib import import_module

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.views.decorators.http import require_safe

# By name, since it registers what is to be taken away again.
import_module("allauth.mfa.admin")
admin.site.unregister(Authenticator)
admin.site.login = secure_admin_login(require_safe(admin.site.login))  # type: ignore[method-assign]
