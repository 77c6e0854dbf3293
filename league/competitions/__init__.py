"""What a competition is: settings, divisions, drafts, calendar."""
