"""Games that halfpoint can get by itself: the study's, fetched and checked, and a simulated replica of them."""
