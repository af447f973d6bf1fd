"""Tables as banks, offices, surveys and servers of several countries export them: learned, applied and checked."""

import pytest

N = 60
AGES = [18 + 7 * k % 60 for k in range(N)]
SUMS = [1000.25 + 4321 * (k * 37 % N) for k in range(N)]
RISKY = [age < 40 for age in AGES]


def german(value):
    """A number as Germans write it."""
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def indian(value):
    """A whole number with marks after three digits, then after two."""
    text, groups = str(int(value)), []
    head, tail = text[:-3], text[-3:]
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*groups, tail])


def lines(write, yes, no, end="\n"):
    """A line of each row."""
    return "".join(
        write(k, age, value, yes if risky else no) + end
        for k, (age, value, risky) in enumerate(zip(AGES, SUMS, RISKY, strict=True), 1)
    )


BANK = (
    "Umsatzanzeige;Datei erstellt am: 31.01.2024 10:11\r\n\r\nIBAN;DE12 3456 7890;;;\r\nSaldo;1.234,56;EUR;;\r\n\r\n"
    "In der folgenden Liste sind alle Umsätze aufgeführt.\r\n\r\nNr;Alter;Ort;Betrag;Ausfall\r\n"
)
QUESTIONS = 'Start,Q1,Q2,Q3\nStart Date,"How old, in years?",Income?,Default?\n' + ",".join(
    f'"{{""ImportId"":""Q{k}""}}"' for k in range(4)
)
KAKEI = "家計調査,,,\r\n作成日：2024年1月31日,,,\r\n,,,\r\n年齢,収入,都市,延滞\r\n"
#: Name -> text, its encoding, and the target.
FILES = {
    "a bank": (
        BANK + lines(lambda k, a, v, y: f'{k};{a};"Köln";{german(v)};{y}', "ja", "nein", "\r\n"), "cp1252", "Ausfall"
    ),
    "an office of France": (
        "Âge;Revenu;Défaut\r\n"
        + lines(lambda k, a, v, y: f"{a};{german(v).replace('.', chr(0x202F))} €;{y}", "oui", "non")
        + "\r\nSource : Insee, 2023\r\nChamp : France entière\r\n", "utf-8-sig", "Défaut",
    ),
    "lakhs": (
        "Sl. No.,Age,Income (Rs.),Default\n"
        + lines(lambda k, a, v, y: f'{k},{a},"₹{indian(100 * v)}",{y}', "Yes", "No"),
        "utf-8", "Default",
    ),
    "a ministry of Japan": (
        KAKEI + lines(lambda k, a, v, y: f'{a},"{int(v):,}",東京都,{y}', "有", "無", "\r\n")
        + f'合計,"{sum(map(int, SUMS)):,}",,\r\n注：千円未満切捨て,,,\r\n', "cp932", "延滞",
    ),
    "Qualtrics": (
        QUESTIONS + "\n" + lines(lambda k, a, v, y: f"2024-01-31 10:11:{k % 60:02},{a},{int(v)},{y}", "ja", "nein"),
        "utf-8", "Q3",
    ),
    "a web server": (
        "#Software: IIS\n#Version: 1.0\n#Fields: date sc-bytes time-taken slow\n"
        + lines(lambda k, a, v, y: f"2024-01-31 {int(v)} {a} {y}", "yes", "no"), "utf-8", "slow",
    ),
    "Unicode text of Excel": (
        "Alter\tEinkommen\tAusfall\r\n" + lines(lambda k, a, v, y: f"{a}\t{german(v)}\t{y}", "ja", "nein", "\r\n"),
        "utf-16", "Ausfall",
    ),
    "a bank of China": (
        "序号,年龄,月收入（元）,城市,违约\n" + lines(lambda k, a, v, y: f"{k},{a},{v:.2f},北京,{y}", "是", "否"),
        "gb18030", "违约",
    ),
    "a bank of Korea": (
        "나이,소득,도시,연체\n" + lines(lambda k, a, v, y: f'{a},"{int(v):,}",서울,{y}', "예", "아니오"),
        "cp949", "연체",
    ),
    "a logger with units": (
        "time,speed,temp,fail\ns,m/s,°C,\n" + lines(lambda k, a, v, y: f"{k},{v:.1f},{a},{y}", "yes", "no"),
        "utf-8", "fail",
    ),
    "psql": (
        " age | income | bad \n-----+--------+-----\n" + lines(lambda k, a, v, y: f" {a:3} | {v:6.0f} | {y}", "t", "f")
        + f"({N} rows)\n\n", "utf-8", "bad",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_read_learned_and_applied(run, tmp_path, name):
    text, encoding, target = FILES[name]
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    trees = []
    for model, memory in (("a.box", ()), ("b.box", ("--memory", "64MB"))):
        code, out, err = run("fit", path, "--target", target, "-o", tmp_path / model, *memory)
        assert code == 0, err
        trees.append(run("show", tmp_path / model)[1])
        assert "3 nodes, 2 leaves" in trees[-1]
        code, out, err = run("predict", tmp_path / model, path, *memory)
        classes = out.split()[1:]
        assert (code, len(classes)) == (0, N), err
        assert [c == classes[RISKY.index(True)] for c in classes] == RISKY
        code, out, err = run("evaluate", tmp_path / model, path)
        assert (code, f"{N} rows" in out) == (0, True), err
    assert trees[0] == trees[1]
    assert run("check", path, "--target", target)[0] == 0
