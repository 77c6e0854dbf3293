"""Accounts, logins and the admin, where allauth and Django leave something to a site."""
