"""What pages share: finding rows, telling refusals, times, numbers, charts."""
