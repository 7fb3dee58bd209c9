"""What Commonbook tells other programs to put in their settings. Never writes into a host without being asked."""
