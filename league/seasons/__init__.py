"""The end of a season and the beginning of the next: final places, promotion and relegation, the roll of honour."""
