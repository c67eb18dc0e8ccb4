"""The stages by which a picture is read; each takes and returns frozen records and can be tested alone.

    query         find outlines: a picture becomes a `Query`
    search_state  explain away what is found; what is explained so far is a value that never changes
    keypoints     detect features where nothing is explained yet
    candidates    vote for poses: which face may lie where, by votes, by rows and by outlines
    poses         refine a candidate's pose, and judge the face there
    decision      score all faces there in colour, and decide
    revision      look again at what was in doubt, once more is explained
    covered       find cards under others, and at the ends of rows, by their sides
    search        repeat while something is unexplained

A stage knows those above it, never those below.
"""
