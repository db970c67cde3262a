"""Line-ups: who was on the floor together, against whom, and the points of their possessions."""
