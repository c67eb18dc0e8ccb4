"""A running game and its owner: the game, the controls, what people say about cards, and what others subscribe to."""
