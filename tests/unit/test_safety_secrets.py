"""What masking does with a text: the label stays, the value goes, and a text that cannot be mended is refused."""

import random

import pytest

from commonbook.keeper.safety import find_secrets, has_secret, mask_secrets
from commonbook.keeper.safety.values import Found
from commonbook.vocabulary import SECRET_MASK
from tests.corpora.secrets.corpus import SECRETS

TALK = "Please keep the error tree small and tell people what they can do next. "


def made(name: str) -> str:
    return SECRETS[name](random.Random(7))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("the db password is Tr0ub4dor&3 on the staging box", f"the db password is {SECRET_MASK} on the staging box"),
        (
            "set DB_PASSWORD=letmein2024 in .env, then restart it",
            f"set DB_PASSWORD={SECRET_MASK} in .env, then restart it",
        ),
        ("数据库密码是 Hx82!mmq，用户名是管理员，别忘了", f"数据库密码是 {SECRET_MASK}，用户名是管理员，别忘了"),
        (
            "clone https://kim:s3cr3tsauce@git.test/a.git for me",
            f"clone https://kim:{SECRET_MASK}@git.test/a.git for me",
        ),
        ("the password is Ab12cd34. Then log in as kim.", f"the password is {SECRET_MASK}. Then log in as kim."),
        (
            "log in at /login?user=kim&password=m00nlight!&next=home",
            f"log in at /login?user=kim&password={SECRET_MASK}&next=home",
        ),
        ("use kim and Pumpkin-Spice7 as the password, please", f"use kim and {SECRET_MASK} as the password, please"),
    ],
)
def test_label_stays_and_value_goes(text: str, masked: str) -> None:
    assert (mask_secrets(text).text, mask_secrets(text).count) == (masked, 1)


def test_a_text_that_is_mostly_secret_is_refused() -> None:
    token = made("ghp")
    assert mask_secrets(token) == type(mask_secrets(""))("", 1, refused=True)
    assert mask_secrets(f"   {token}\n\n  thanks   ").refused
    assert not mask_secrets(f"{TALK} {token}").refused


@pytest.mark.parametrize("name", ["ghp", "anthropic", "slack_bot"])
@pytest.mark.parametrize(
    "question", ["这个 PAT 帮我看下格式对不对：{}", "is {} still good?", "この鍵{}はまだ使えますか？"]
)
def test_a_question_about_one_value_is_kept_without_it(question: str, name: str) -> None:
    """However long the value: what the person asked still says something, and their turn is not lost."""
    masked = mask_secrets(question.format(made(name)))
    assert (masked.text, masked.refused) == (question.format(SECRET_MASK), False)


def test_a_file_of_names_and_values_is_refused() -> None:
    file = "".join(f"export DEPLOY_TOKEN_{number}={made('ghp')}\n" for number in range(8))
    assert mask_secrets(file).refused


def test_what_is_judged_shows_in_no_repr() -> None:
    token = made("ghp")
    assert token not in repr(Found("plain", "token", "", "", f"token {token}", False, token))


@pytest.mark.parametrize(
    "name", ["pem_rsa", "pem_ec", "pem_openssh", "pem_encrypted", "pem_quoted", "pem_indented", "pem_diff"]
)
def test_a_whole_key_is_cut_out(name: str) -> None:
    masked = mask_secrets(f"{TALK * 8}\n{made(name)}\nafter the key")
    assert not masked.refused and masked.count == 1
    assert "PRIVATE KEY" not in masked.text and masked.text.endswith(f"{SECRET_MASK}\nafter the key")


def test_a_key_without_its_end_is_refused() -> None:
    key = made("pem_rsa")
    assert mask_secrets(TALK * 20 + key[:200]).refused
    assert mask_secrets(TALK * 20 + key[:200] + "\n" + TALK * 400).refused
    assert mask_secrets(TALK * 20 + key.replace("-----END", "----")).refused


def test_two_keys_are_two() -> None:
    masked = mask_secrets(f"{TALK * 9}{made('pem_rsa')}\nand the other {made('pem_ec')} {TALK * 9}")
    assert masked.count == 2 and f"{SECRET_MASK}\nand the other {SECRET_MASK}" in masked.text


@pytest.mark.parametrize(
    "text",
    [
        'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "the file begins with -----BEGIN OPENSSH PRIVATE KEY-----, then comes base64",
    ],
)
def test_speaking_of_keys_is_no_key(text: str) -> None:
    assert not has_secret(text)


def test_values_that_overlap_are_one() -> None:
    spans = find_secrets(f"Authorization: Bearer {made('jwt')} is what the client sends")
    assert len(spans) == 1


def test_the_documentation_values_count() -> None:
    text = TALK * 3 + "AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    assert mask_secrets(text).text == TALK * 3 + f"{SECRET_MASK} / {SECRET_MASK}"


def test_offsets_are_characters_behind_any_letters() -> None:
    for before in ("İ", "🙂🙂 ", "中文，", "\ud800", "ﬁ ß "):
        text = f"{before} {TALK} token={made('ghp')}"
        (span,) = find_secrets(text)
        assert text[span.start : span.stop] == made("ghp")


@pytest.mark.parametrize(
    "before", ["token=", "the password is ", "Authorization: Bearer ", "github_pat_", "密码是", "sk-", 'secret: "']
)
def test_no_length_lets_a_tail_through(before: str) -> None:
    value = "aB3" * 700
    masked = mask_secrets(f"{TALK * 60}{before}{value} and so on")
    assert not masked.refused and masked.count == 1 and "aB3" not in masked.text and masked.text.endswith(" and so on")


UNITS = [
    "a",
    "=",
    '"',
    "password ",
    "password: ",
    "password=",
    "token is ",
    "密码是",
    "sk-",
    "eyJaaaaaaaa",
    "://a:b",
    "://a:@",
]
UNITS += [
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n",
    "curl -u ",
    "mysql -",
    "pass",
]
UNITS += [
    " as the password",
    "xoxb-",
    "AKIA",
    "bearer ",
    "secret '",
    "token=[",
    "password.",
    "password-",
    "password1",
    " ",
    "0:AA",
    "密码",
]


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_repetition_costs_little(unit: str) -> None:
    """Linear, whatever is repeated; were it quadratic, this would run into the time limit of the tests."""
    text = unit * (100_000 // len(unit))
    assert all(span.stop <= len(text) for span in find_secrets(text))


@pytest.mark.parametrize(
    "before", ["password=", "password is ", "密码是", 'token: "', "--password ", "://kim:", "pwd:\n"]
)
@pytest.mark.parametrize(
    "unit", ["a", "A", "my-", "your", "a.", ".1", "Aa", "a/", "a_", "aB1", "1-", "../", "a=", "-", "a b "]
)
def test_hostile_values_cost_little(before: str, unit: str) -> None:
    """No pattern that judges a value may try its parts in many ways: one that does runs for hours on sixty letters."""
    for end in ("!", "1!", '"', "@h", "…"):
        mask_secrets(before + "a" + unit * (390 // len(unit)) + end)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("数据库密码是 chengdu-火锅-8848，先用这个连一下。", "chengdu-火锅-8848"),
        ("密码：小鱼儿123456 别告诉别人，写在部署文档里就行", "小鱼儿123456"),
        ("我的密码就是生日 19900101，服务器登录的时候要用", "19900101"),
        ("My passwd for jenkins = Summer2024! and it works from the office", "Summer2024!"),
        ("the login is kim, pass: correct-horse-battery on the staging machine", "correct-horse-battery"),
        ("always use the passphrase 'seven blue herrings' for the vault please", "seven blue herrings"),
        ("we use PIN 4711 for the door in the office, everybody knows it", "4711"),
    ],
)
def test_passwords_as_people_make_them_and_say_them(text: str, value: str) -> None:
    masked = mask_secrets(text)
    assert (masked.count, masked.refused) == (1, False)
    assert value not in masked.text


@pytest.mark.parametrize(
    "text",
    [
        "密码长度是8位到128位",
        "密码是在第 100 行设置的",
        "密码规则：至少包含8个字符和123这样的数字",
        "密码错误超过 500 次就锁定",
        "密码是加密存储的，见 2024 年的设计文档",
        "修改密码：见 PR 1234",
        "GPIO PIN 4 is used",
        "pass: 12 tests",
        "the token is = None",
        "the passphrase 'x' is too short",
    ],
)
def test_talk_about_passwords_is_left_alone(text: str) -> None:
    assert mask_secrets(text).count == 0


@pytest.mark.parametrize(
    "before",
    ["https://id.test/?type=urn:ietf:params:oauth&access_token=", "arn:aws:iam::1:role/x password=", "urn:a:b;token="],
)
def test_the_name_of_a_resource_hides_no_value_behind_it(before: str) -> None:
    assert mask_secrets(f"{TALK} {before}q7Zx81Qp20LmVb49").text == f"{TALK} {before}{SECRET_MASK}"
