"""What readers see of a duplicate event: boards, scorecards, rankings."""
