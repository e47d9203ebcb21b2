def test_runs_are_counted():
    assert encode("aaab") == [("a", 3), ("b", 1)]


def test_nothing_has_no_runs():
    assert encode("") == []


def test_decoding_undoes_encoding():
    for text in ("", "a", "abc", "aabbaa", "1112", "  x  "):
        assert decode(encode(text)) == text


def test_no_two_neighbouring_runs_are_equal():
    for text in ("aabbaa", "zzz", "abab"):
        signs = [sign for sign, count in encode(text)]
        assert all(a != b for a, b in zip(signs, signs[1:]))
