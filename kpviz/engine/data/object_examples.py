"""Examples made by hand: sentences, sentences with their grammar, and molecules.

Each line is one example; what is before the empty line is of class -1, what is after it of class
+1.

Tests: tests/engine/test_objects.py.
"""

# The kitchen and the football pitch share words: cup, pass, half, top, hot, corner, cross, and the
# small ones. Each long one tells of both places: once it is remembered, its 2^|A ∩ B| outvotes many
# short sentences.
TEXTS = """
fry the onion in butter
boil the rice with salt
boil the eggs in a hot pan
add salt and pepper
add a cup of milk
pass the salt and the pepper
fry the eggs with salt and pepper
a hot pan with butter
stir the soup and add salt
stir a cup of milk in the soup
boil the soup with onion and pepper
mix the eggs with milk
mix flour and butter with salt
cut the onion in half
bake until the top is hot
while the team plays the second half of the final the captain and the keeper boil the rice in \
a hot pan pass the salt and the pepper and stir butter and milk in the soup

pass the ball to the captain
the captain scores a goal
the keeper stops the ball
the team scores in the second half
a cross and a goal for the team
the captain lifts the cup
the team plays the cup final
the keeper and the captain
a goal in the final
the ball is in the corner
pass to the keeper
a hot game in the second half
the team is at the top
the second goal in the final
the keeper lifts the ball
with a cup of hot soup and half of the eggs in the pan the fans stir and boil until the team \
scores from a cross and the captain lifts the cup at the top of the corner
"""

# Did somebody tell it or ask? The nouns and verbs are in both classes, and "can" and "will" are,
# too.
TREES = """
(S (NP (D the) (N dog)) (VP (V barked)))
(S (NP (D the) (N cat)) (VP (V slept)))
(S (NP (D the) (N bird)) (VP (V sang)))
(S (NP (D the) (N dog)) (VP (V slept)))
(S (NP you) (VP (V sang)))
(S (NP you) (VP (V slept)))
(S (NP they) (VP (V sang)))
(S (NP they) (VP (V barked)))
(S (NP (D the) (N dog)) (VP (V saw) (NP (D the) (N cat))))
(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N bird))))
(S (NP they) (VP (V saw) (NP you)))
(S (NP you) (VP (V saw) (NP (D the) (N dog))))
(S (NP (D the) (N bird)) (VP (M can) (V sing)))
(S (NP (D the) (N dog)) (VP (M will) (V sleep)))

(S (W who) (VP (V barked)))
(S (W who) (VP (V slept)))
(S (W who) (VP (V sang)))
(S (W who) (VP (V saw) (NP (D the) (N cat))))
(S (W who) (VP (M can) (V sing)))
(S (M did) (NP (D the) (N dog)) (VP (V bark)))
(S (M did) (NP (D the) (N cat)) (VP (V sleep)))
(S (M did) (NP they) (VP (V sing)))
(S (M did) (NP you) (VP (V see) (NP (D the) (N bird))))
(S (M can) (NP (D the) (N bird)) (VP (V sing)))
(S (M can) (NP you) (VP (V sleep)))
(S (W where) (M did) (NP (D the) (N bird)) (VP (V sing)))
(S (W where) (M will) (NP they) (VP (V sleep)))
"""

# Atoms but hydrogen, and bonds of any order; the first half has no ring: ethane, methanol, ethanol,
# …; cyclopropane, …
GRAPHS = """
CC 1-2
CO 1-2
CCO 1-2 2-3
CCC 1-2 2-3
COC 1-2 2-3
CCCO 1-2 2-3 2-4
CCOO 1-2 2-3 2-4
CN 1-2
CNNO 1-2 1-3 1-4
CCNOO 1-2 1-3 2-4 2-5
CCCNOO 1-2 2-3 2-4 3-5 3-6
OCCO 1-2 2-3 3-4
CCCOOO 1-2 2-3 1-4 2-5 3-6
CCCCCC 1-2 2-3 3-4 4-5 5-6
CCCC 1-2 1-3 1-4
CCCCC 1-2 1-3 1-4 1-5
CCOCC 1-2 2-3 3-4 4-5

CCC 1-2 2-3 1-3
CCO 1-2 2-3 1-3
CCCC 1-2 2-3 3-4 1-4
CCCCC 1-2 2-3 3-4 4-5 1-5
CCCCCC 1-2 2-3 3-4 4-5 5-6 1-6
CCCCCN 1-2 2-3 3-4 4-5 5-6 1-6
CCCCO 1-2 2-3 3-4 4-5 1-5
CCCCN 1-2 2-3 3-4 4-5 1-5
CCCCCCC 1-2 2-3 3-4 4-5 5-6 1-6 1-7
CCCCCCO 1-2 2-3 3-4 4-5 5-6 1-6 1-7
CCCCCCN 1-2 2-3 3-4 4-5 5-6 1-6 1-7
CCOCCN 1-2 2-3 3-4 4-5 5-6 1-6
CCNCCN 1-2 2-3 3-4 4-5 5-6 1-6
COCOCO 1-2 2-3 3-4 4-5 5-6 1-6
CCCO 1-2 2-3 1-3 1-4
CCCC 1-2 2-3 1-3 1-4
CCCCCCCCCC 1-2 2-3 3-4 4-5 5-6 1-6 6-7 7-8 8-9 9-10 1-10
"""
