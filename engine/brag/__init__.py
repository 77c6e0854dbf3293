"""Brag with several hands: with nine, seven and six cards. ``game`` has all that the rest of the service needs."""
