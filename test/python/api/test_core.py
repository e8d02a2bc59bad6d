"""The module with nothing but Python's own library. Run with unittest."""

import gc
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

from toys import IMAGES, ROOT, SAMPLES, Failing, OwnError, Towers, rows, whole

import captious
from captious._live import Live

HERE = os.path.dirname(os.path.abspath(__file__))
CAPTIONS = os.path.join(SAMPLES, "captions.json")
CLIP = os.path.join(ROOT, "test", "fixtures", "models", "clip")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open("/proc/{}/stat".format(pid)) as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out")

    def audit(self, data, evaluator, probe="lgip", **options):
        given = {"images": IMAGES, "out": self.out, "limit": 4, "progress": False, **options}
        return captious.audit(data, probe, evaluator, **given)


class LiveEvaluator(Case):
    def test_scores_as_the_same_class_in_a_file(self):
        code = os.path.join(ROOT, "test", "fixtures", "python", "hashing.py")
        by_file = self.audit(CAPTIONS, "python:{}:Towers".format(code))
        live = self.audit(CAPTIONS, Towers())
        self.assertEqual(whole(live), whole(by_file))
        self.assertGreater(whole(live)["lgip.pr"][1], 0)

    def test_raises_the_exception_of_the_object(self):
        error = OwnError("not today")
        with self.assertRaises(captious.CaptiousError) as caught:
            self.audit(CAPTIONS, Failing(error))
        self.assertIs(caught.exception.__cause__, error)
        self.assertIn("not today", str(caught.exception))

    def test_leaves_out_what_the_object_refuses(self):
        refused = rows(3)[2]["caption"]

        class Picky(Towers):
            def embed_texts(self, texts):
                if refused in texts:
                    raise OwnError("not this one")
                return super().embed_texts(texts)

        report = self.audit(rows(10), Picky(), limit=None)
        dataset = report.to_dict()["dataset"]
        self.assertIn("not this one", str(dataset["leftOut"]) + str(report.to_dict()["metrics"]) + str(list(report.iter_rows())))
        with self.assertRaises(captious.CheckFailed):
            captious.check(report, "lgip.pr >= 0")
        captious.check(report, "lgip.pr >= 0", allow_lost=100)

    def test_is_cached_between_runs_only_with_a_fingerprint(self):
        for info, again in (({"weights": []}, True), ({"fingerprint": self.out}, False)):
            self.audit(CAPTIONS, Towers(info), out=self.out + "a")
            second = Towers(info)
            self.audit(CAPTIONS, second, out=self.out + "b")
            self.assertEqual(second.calls > 0, again, info)

    def test_takes_several_evaluators_and_probes(self):
        same = Towers()
        report = self.audit(CAPTIONS, [same, same, CLIP], ["lgip", "prsm"])
        self.assertEqual(report.evaluators, ["Towers", "Towers-2", "clip"])
        self.assertEqual(report.probes, ["lgip", "prsm"])
        self.assertEqual(len(report), 6)
        self.assertEqual(whole(report["lgip", "Towers"]), whole(report["Towers-2"]["lgip"]))
        with self.assertRaises(KeyError):
            report["visla"]
        with self.assertRaises(captious.CaptiousError):
            report.path
        self.assertEqual(self.audit(CAPTIONS, {"mine": Towers()}).evaluators, ["mine"])

    def test_works_in_another_thread(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(self.audit(CAPTIONS, Towers())))
        thread.start()
        thread.join()
        self.assertEqual(found[0].evaluators, ["Towers"])

    def test_keeps_the_handler_of_interrupts(self):
        before = signal.getsignal(signal.SIGINT)
        self.audit(CAPTIONS, Towers())
        self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_raises_the_last_exception_if_nothing_could_be_scored(self):
        class Breaks(Towers):
            asked = 0

            def embed_texts(self, texts):
                self.asked += 1
                if self.asked > 1:
                    raise OwnError("broken in the middle")
                return super().embed_texts(texts)

        with self.assertRaises(captious.CaptiousError) as caught:
            self.audit(rows(60), Breaks(), limit=None, more=["--batch", "16"])
        self.assertIsInstance(caught.exception.__cause__, OwnError)

    def test_names_wrong_arguments(self):
        for wrong, named in (
            ({"images": "/none"}, "/none"),
            ({"images": {"a": "/none"}}, "/none"),
            ({"out": CAPTIONS}, "captions.json"),
            ({"seed": -1}, "--seed"),
            ({"limit": 0}, "--limit"),
        ):
            with self.assertRaises(captious.CaptiousError) as caught:
                self.audit(rows(3), Towers(), **wrong)
            self.assertIn(named, str(caught.exception))

    def test_refuses_what_is_no_evaluator(self):
        for wrong in (Towers, object(), None, {"a,b": Towers()}, {"": Towers()}):
            with self.assertRaises(captious.CaptiousError):
                self.audit(CAPTIONS, wrong)

    def test_needs_the_token(self):
        live = Live({"Towers": Towers()})
        self.addCleanup(live.close)
        port, token = live.variable().split()
        for greeting in ("{} Towers\n".format("0" * 64), " Towers\n", "{} Others\n".format(token), "x" * 600):
            with socket.create_connection(("127.0.0.1", int(port))) as peer:
                peer.sendall(greeting.encode())
                try:
                    self.assertEqual(peer.recv(1), b"")
                except ConnectionResetError:
                    pass
        self.assertEqual(live._listener.getsockname()[0], "127.0.0.1")


def descendants(pid):
    """The process and all that it started; on other systems than Linux only itself."""
    try:
        with open("/proc/{0}/task/{0}/children".format(pid)) as children:
            return [pid, *(one for child in children.read().split() for one in descendants(int(child)))]
    except OSError:
        return [pid]


@unittest.skipIf(os.name == "nt", "signals of POSIX")
class Stops(Case):
    def start(self, how):
        """A program whose evaluator is busy, and the processes of its engine."""
        words = [sys.executable, os.path.join(HERE, "stops.py"), how, self.out]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for stream in (process.stdin, process.stdout):
            self.addCleanup(stream.close)
        self.addCleanup(process.kill)
        pid, answered = map(int, process.stdout.readline().split())
        engine = descendants(pid)
        process.stdin.write("\n")
        process.stdin.flush()
        self.answered = answered
        return process, engine

    def assert_ends(self, pids):
        end = time.monotonic() + 5
        while any(map(is_alive, pids)):
            self.assertLess(time.monotonic(), end, "a process of the engine still runs")
            time.sleep(0.05)

    def assert_nothing_is_lost(self):
        """The next run does not ask again what was answered, and has the results of a run that nothing ended."""
        same = Towers({"fingerprint": self.out})
        again = self.audit(CAPTIONS, {"Busy": same}, limit=None)
        fresh = Towers({"fingerprint": self.out + "2"})
        self.assertEqual(whole(again), whole(self.audit(CAPTIONS, {"Busy": fresh}, limit=None, out=self.out + "2")))
        self.assertGreater(self.answered, 300)
        # Two batches are in progress: one that the evaluator computes, and one whose answer may be on its way.
        self.assertLessEqual(same.items, fresh.items - self.answered + 2 * 128)

    def test_the_engine_ends_with_ctrl_c(self):
        process, engine = self.start("interrupt")
        self.assertEqual(process.stdout.read().split(), ["KeyboardInterrupt"])
        process.wait()
        self.assertFalse(is_alive(engine[0]))
        self.assert_ends(engine)

    def test_the_engine_ends_with_a_killed_python(self):
        process, engine = self.start("kill")
        process.kill()
        process.wait()
        self.assert_ends(engine)

    def test_a_killed_engine_raises_although_the_object_is_busy(self):
        process, engine = self.start("engine")
        self.assertEqual(process.stdout.read().split()[0], "CaptiousError")
        process.wait()
        self.assert_ends(engine)

    def test_what_was_answered_before_a_kill_is_not_lost(self):
        for how in ("late", "late engine"):
            with self.subTest(how):
                self.out += "-"
                process, engine = self.start(how)
                if how == "late":
                    process.kill()
                process.wait()
                self.assert_ends(engine)
                self.assert_nothing_is_lost()


class Data(Case):
    def test_has_the_results_of_the_same_file(self):
        data = rows(16)
        file = whole(self.audit(data, Towers(), limit=None))
        batches = [
            {key: [row[key] for row in data[i : i + 8]] for key in ("image", "caption")} for i in range(0, len(data), 8)
        ]
        columns = {key: [row[key] for row in data] for key in ("image", "caption")}
        for given in (iter(data), batches, columns):
            self.assertEqual(whole(self.audit(given, Towers(), limit=None)), file)
        # Other paths of images draw other mismatched pairs, but the variants of captions are the same.
        paths = [{**row, "image": os.path.join(IMAGES, row["image"])} for row in data]
        self.assertEqual(whole(self.audit(paths, Towers(), images=None, limit=None))["lgip.pr"], file["lgip.pr"])

    def test_stores_images_once_by_content(self):
        data = []
        for row in rows(12):
            with open(os.path.join(IMAGES, row["image"]), "rb") as file:
                data.append({**row, "image": file.read()})
        report = self.audit(data, Towers(), images=None)
        images = os.path.join(self.out, "data", "images")
        stored = os.listdir(images)
        self.assertEqual(len(stored), len({row["image"] for row in rows(12)}))
        names = [{**row, "image": hashlib.sha256(row["image"]).hexdigest()[:32] + ".jpg"} for row in data]
        self.assertEqual(whole(report)["lgip.pr"], whole(self.audit(names, Towers(), images=images))["lgip.pr"])

    def test_is_streamed(self):
        class Row(dict):
            pass

        refs = []
        most = 0

        def stream():
            nonlocal most
            for row in rows():
                made = Row(row)
                refs.append(weakref.ref(made))
                most = max(most, sum(ref() is not None for ref in refs))
                yield made

        self.audit(stream(), Towers())
        self.assertLess(most, 5)

    def test_names_the_columns_it_found(self):
        for data, column in (([{"picture": 1, "words": "a"}], "words"), ({"image": ["a.jpg"]}, "image")):
            with self.assertRaises(captious.CaptiousError) as caught:
                self.audit(data, Towers())
            self.assertIn(column, str(caught.exception))
        # Values that no row has are named before the engine starts.
        for caption in (None, float("nan"), 5, []):
            with self.assertRaises(captious.CaptiousError) as caught:
                self.audit([{"image": "a.jpg", "caption": caption}], Towers())
            self.assertRegex(str(caught.exception), r"\bcaption\b")
        for data in ([], 5, [5], ["a"], {"image": ["a", "b"], "caption": ["x"]}, [{"image": b"none", "caption": "x"}]):
            with self.assertRaises(captious.CaptiousError):
                self.audit(data, Towers())

    def test_maps_columns(self):
        renamed = [{"pic": row["image"], "words": row["caption"]} for row in rows(12)]
        mapped = self.audit(renamed, Towers(), map={"image": "pic", "caption": "words"}, limit=None)
        self.assertEqual(whole(mapped), whole(self.audit(rows(12), Towers(), limit=None)))
        with self.assertRaises(captious.CaptiousError):
            self.audit(renamed, Towers(), map={"image": "pict"})

    def test_in_memory_is_deleted_with_its_last_report(self):
        report = self.audit(rows(10), Towers(), out=None)
        folder = os.path.dirname(os.path.dirname(report.path))
        part = report["lgip"]
        del report
        gc.collect()
        self.assertTrue(os.path.exists(part.path))
        del part
        gc.collect()
        self.assertFalse(os.path.exists(folder))

    def test_in_memory_is_kept_where_the_caller_says(self):
        report = self.audit(rows(10), Towers())
        path = report.to_dict()["dataset"]["path"]
        del report
        gc.collect()
        self.assertTrue(path.startswith(os.path.realpath(self.out)) or path.startswith(self.out))
        self.assertTrue(os.path.exists(path))


class Results(Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.report = captious.audit(
            CAPTIONS, "lgip", Towers(), images=IMAGES, out=os.path.join(folder.name, "out"), limit=8, progress=False
        )

    def test_tables_and_words(self):
        report = self.report
        found = report._singles[0].metrics()
        self.assertTrue({"id", "value", "low", "high", "n", "images", "slice"} <= set(found[0]))
        self.assertTrue(any(metric["slice"] for metric in found))
        self.assertEqual(report.value("lgip.pr"), whole(report)["lgip.pr"][0])
        self.assertEqual(len(report.rows()), report.to_dict()["rowCount"])
        self.assertIn("lgip.pr", repr(report))
        self.assertEqual(captious.load(report.path).to_dict(), report.to_dict())
        self.assertEqual({"text", "rule", "probe", "evaluator"}, set(report.verdicts[0]))

    def test_page_for_notebooks_loads_nothing(self):
        page = self.audit(CAPTIONS, CLIP, limit=8)._repr_html_()
        self.assertNotIn("<script", page)
        self.assertNotRegex(page, r'(src|href)="(?!data:)')
        self.assertNotRegex(page, r"url\((?!data:)")
        for part in ("<svg", "<table", "<details", "Verdicts", "Metrics", "Charts"):
            self.assertIn(part, page)
        for tag in ("div", "table", "details", "figure"):
            self.assertEqual(page.count("<" + tag), page.count("</" + tag), tag)
        self.assertLess(len(page), 200_000)

    def test_check_says_what_failed(self):
        report = self.report
        value = report.value("lgip.pr")
        captious.check(report, "lgip.pr >= {} && lgip.pr.n > 2".format(value))
        with self.assertRaises(AssertionError) as caught:
            captious.check(report.path, "lgip.pr > {}".format(value))
        self.assertRegex(str(caught.exception), r"lgip\.pr = {:.4f}.*\n(.*\n)*.*worst: ".format(value))
        for wrong in ("lgip.nothing > 1", "lgip.pr >", "1 < 2", "lgip.pr > 0.5 )", "lgip.pr > lgip.pr", "lgip.sens.color.low > 0"):
            with self.assertRaises(captious.CaptiousError):
                captious.check(report, wrong)

    def test_compares(self):
        report = self.audit(CAPTIONS, [Towers(), Towers(salt=b"x")], ["lgip", "prsm"], limit=24)
        found = captious.compare(report["Towers"], report["Towers-2"], margin=0.1)
        rows_found = found if isinstance(found, list) else found.to_dict("records")
        row = next(row for row in rows_found if row["metric"] == "lgip.inv.relative")
        self.assertAlmostEqual(row["difference"], row["value_second"] - row["value_first"])
        self.assertTrue(row["low"] <= row["difference"] <= row["high"])
        self.assertTrue(0 <= row["p"] <= row["adjusted"] <= 1)
        self.assertIsInstance(row["not_worse"], bool)
        self.assertEqual({row["probe"] for row in rows_found}, {"lgip", "prsm"})
        with self.assertRaises(captious.CaptiousError):
            captious.compare(report["lgip"], report["prsm"])
        with self.assertRaisesRegex(captious.CaptiousError, "no rows to compare. .*[Dd]ataset"):
            captious.compare(report["Towers"], self.audit(rows(30), Towers(), limit=8))


if __name__ == "__main__":
    unittest.main()
