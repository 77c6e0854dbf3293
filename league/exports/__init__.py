"""Tables to take away: standings, fixtures, results and players, for spreadsheets and programs."""
