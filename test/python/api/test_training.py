"""Audits during a training, loggers, and pages, with nothing but Python's own library. Run with unittest."""

import csv
import json
import os
import re
import sys
import tempfile
import types
import unittest
import urllib.parse
from unittest import mock

from toys import SAMPLES, OwnError

import captious

TRIPLETS = os.path.join(SAMPLES, "triplets.tsv")
with open(TRIPLETS, encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines, delimiter="\t"))


class Growing:
    """Texts only. Tells the negatives of the first `right` triplets apart, and takes those of the others for the captions."""

    def __init__(self, right):
        self.vectors = {}
        for i, row in enumerate(ROWS):
            caption, positive, negative = list(row.values())[1:4]
            self.vectors.update({caption: (1, 0), positive: (0.8, 0.6), negative: (-1, 0) if i < right else (1, 0)})

    def info(self):
        # Neither may be believed: the step is another one, and the vectors differ from step to step.
        return {"name": "epoch 7", "fingerprint": "always the same"}

    def embed_texts(self, texts):
        return [self.vectors[text] for text in texts]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out")


class Sweep(Case):
    def callback(self, evaluator=None, **options):
        return captious.Callback(TRIPLETS, "visla", evaluator, every=10, out=self.out, **options)

    def train(self, callback, state=None):
        """A Trainer's events for a model that has learned another triplet with each step, and 1 triplet at step 20."""
        state = types.SimpleNamespace(global_step=0, is_world_process_zero=True) if state is None else state
        callback.on_train_begin(None, state, None, model=None)
        for step in range(1, 31):
            state.global_step = step
            callback.on_step_end(None, state, None, model=1 if step == 20 else step, processing_class=None)
        callback.on_train_end(None, state, None, model=None)

    def test_writes_what_trend_reads(self):
        logged = []
        callback = self.callback(Growing, log=captious.Logger(lambda numbers, step: logged.append((step, numbers))))
        self.train(callback)
        self.assertEqual(callback.failures, {})
        trend = callback.trend("visla.t2t")
        found = trend.to_dict()
        self.assertEqual([(one["step"], one["value"]) for one in found["steps"]], [(10, 10 / 32), (20, 1 / 32), (30, 30 / 32)])
        self.assertEqual([one["change"]["difference"] for one in found["steps"][1:]], [-9 / 32, 29 / 32])
        self.assertEqual(found["steps"][2]["change"]["verdict"], "better")
        self.assertEqual((trend.best, trend.metric, trend.probe), (30, "visla.t2t", "visla"))
        self.assertIn("Best step: 30", repr(trend))
        self.assertRegex(trend._repr_html_(), r'^<div class="captious">[^$]*<svg[^$]*<table')
        steps = trend.steps if isinstance(trend.steps, list) else trend.steps.to_dict("records")
        self.assertEqual([row["value"] for row in steps], [10 / 32, 1 / 32, 30 / 32])
        self.assertEqual([(step, numbers["captious/visla.t2t"]) for step, numbers in logged], [(10, 10 / 32), (20, 1 / 32), (30, 30 / 32)])

    def test_a_failed_audit_is_reported_once_and_stops_nothing(self):
        error = OwnError("no memory")
        callback = self.callback(Growing)
        with mock.patch("captious._sweep.audit", side_effect=[error, error, "a report"]) as audit:
            with self.assertLogs("captious", "WARNING") as logs:
                self.train(callback)
        self.assertEqual(audit.call_count, 3)
        self.assertEqual(len(logs.records), 1)
        self.assertIn("no memory", logs.output[0])
        self.assertEqual(callback.failures, {10: error, 20: error})

    def test_a_failed_logger_keeps_the_report(self):
        log = mock.Mock()
        log.report.side_effect = error = OwnError("offline")
        callback = self.callback(Growing, log=log)
        with mock.patch("captious._sweep.audit", return_value="a report"), self.assertLogs("captious", "WARNING"):
            self.assertEqual(callback.step(4, 10), "a report")
        self.assertEqual(callback.failures, {10: error})

    def test_only_the_first_process_audits(self):
        self.train(self.callback(Growing), types.SimpleNamespace(global_step=0, is_world_process_zero=False))
        self.assertFalse(os.path.exists(self.out))

    def test_is_a_callback_of_transformers_if_that_is_loaded(self):
        trainer = types.ModuleType("transformers.trainer_callback")
        trainer.TrainerCallback = type("TrainerCallback", (), {"on_init_end": lambda self, *args, **more: "of the base"})
        with mock.patch.dict(sys.modules, {trainer.__name__: trainer}):
            callback = self.callback(Growing)
            self.assertIsInstance(callback, trainer.TrainerCallback)
            self.assertIsInstance(callback, captious.Callback)
            self.assertEqual(callback.on_init_end(None, None, None), "of the base")
        self.assertIsNone(self.callback(Growing).on_init_end(None, None, None, model=None))
        with self.assertRaises(AttributeError):
            self.callback(Growing).nothing

    def test_wrong_arguments_fail_at_once(self):
        for every in (0, -1, True, 2.5):
            with self.assertRaises(captious.CaptiousError):
                captious.Callback(TRIPLETS, "visla", every=every)
        with self.assertRaises(captious.CaptiousError):
            captious.Callback(iter(ROWS), "visla")
        with self.assertRaises(TypeError):
            captious.Callback(TRIPLETS, "visla", limits=4)


class FakeRun:
    """The two methods of a run of W&B."""

    def __init__(self):
        self.said = []

    def define_metric(self, name, step_metric=None):
        self.said.append((name, step_metric))

    def log(self, data, step=None):
        self.said.append((data, step))


def line(step, value, **more):
    return {"probe": "lgip", "evaluator": "m", "step": step, "id": "lgip.pr", "value": value, "low": 0.1, "high": 0.9, **more}


class Loggers(Case):
    def package(self, name, **members):
        module = types.ModuleType(name)
        vars(module).update(members)
        patch = mock.patch.dict(sys.modules, {name: module})
        patch.start()
        self.addCleanup(patch.stop)

    def written(self, *lines, end="\n"):
        os.makedirs(self.out, exist_ok=True)
        path = os.path.join(self.out, "metrics.jsonl")
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(one) for one in lines) + end)
        return path

    def test_wandb_gets_a_series_with_its_own_axis(self):
        run = FakeRun()
        captious.log_to_wandb(run).follow(self.written(line(5, 0.5), line(5, 0.1, slice={"kind": "color"}), line(9, None)))
        numbers = {"captious/lgip.pr": 0.5, "captious/lgip.pr.low": 0.1, "captious/lgip.pr.high": 0.9, "captious/step": 5}
        self.assertEqual(run.said, [("captious/*", "captious/step"), (numbers, None)])

    def test_wandb_takes_the_active_run(self):
        run = FakeRun()
        self.package("wandb", run=run)
        captious.log_to_wandb()
        self.assertEqual(len(run.said), 1)
        self.package("wandb", run=None)
        with self.assertRaises(captious.CaptiousError):
            captious.log_to_wandb()

    def test_mlflow_gets_a_report_under_names_that_it_accepts(self):
        log_metrics = mock.Mock()
        self.package("mlflow", log_metrics=log_metrics)
        report = captious.audit(TRIPLETS, "visla", Growing(8), out=self.out, progress=False)
        captious.log_to_mlflow("run 1").report(report)
        captious.log_to_mlflow().report(report, 7)
        first, second = log_metrics.call_args_list
        self.assertEqual(first.kwargs, {"step": 0, "run_id": "run 1"})
        self.assertEqual(second.kwargs, {"step": 7})
        self.assertEqual(first.args[0]["captious/epoch 7/visla.t2t"], 8 / 32)
        captious.log_to_mlflow().follow(self.written(line(None, 0.5, evaluator="a@b+ä:c")))
        self.assertEqual(log_metrics.call_args.args[0]["captious/a_b___c/lgip.pr"], 0.5)
        self.assertEqual(second.args[0]["captious/visla.t2t"], 8 / 32)
        self.assertLess(second.args[0]["captious/visla.t2t.low"], 8 / 32)
        names = [name for call in (first, second) for name in call.args[0]]
        self.assertTrue(all(re.fullmatch(r"[\w\-. /]+", name) for name in names), names)

    def test_packages_are_needed_only_where_they_are_used(self):
        with mock.patch.dict(sys.modules, {"mlflow": None}), self.assertRaises(captious.CaptiousError) as caught:
            captious.log_to_mlflow()
        self.assertIn("mlflow", str(caught.exception))

    def test_follows_a_file_while_it_is_written(self):
        sent = []
        logger = captious.Logger(lambda numbers, step: sent.append((step, numbers["captious/lgip.pr"])))
        path = os.path.join(self.out, "metrics.jsonl")
        writes = [
            lambda: None,
            lambda: self.written(line(1, 0.1)),
            lambda: self.written(line(2, 0.2), end=""),
            lambda: self.written(end="\n"),
            lambda: self.written(line(3, 0.3)),
        ]
        seen = []

        def is_over():
            seen.append(list(sent))
            writes.pop(0)()
            return not writes

        logger.follow(path, until=is_over, poll=0)
        self.assertEqual(seen, [[], [], [(1, 0.1)], [(1, 0.1)], [(1, 0.1), (2, 0.2)]])
        self.assertEqual(sent, [(1, 0.1), (2, 0.2), (3, 0.3)])
        logger.follow(path)
        self.assertEqual(len(sent), 3)
        os.remove(path)
        logger.follow(self.written(line(4, 0.4)))
        self.assertEqual(sent[3:], [(4, 0.4)])


OPENS_ITSELF = unittest.skipIf(sys.platform in ("win32", "darwin"), "Windows and macOS open links themselves")


class Show(Case):
    """With a program `code` that writes down its arguments."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.report = captious.audit(TRIPLETS, "visla", Growing(8), out=os.path.join(folder.name, "50 % & ä"), progress=False)

    def setUp(self):
        super().setUp()
        self.home = os.path.dirname(self.out)

    def show(self, status=0, extension=True, **variables):
        for name in ("bin", *(["extensions/captious.captious-0.2.0"] if extension else [])):
            os.makedirs(os.path.join(self.home, name))
        said, code = (os.path.join(self.home, *name) for name in (["said"], ["bin", "code"]))
        with open(code, "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\nexit {}\n".format(said, status))
        os.chmod(code, 0o755)
        path = os.pathsep.join([os.path.dirname(code), os.environ["PATH"]])
        extensions = os.path.join(self.home, "extensions")
        variables = {"HOME": self.home, "VSCODE_EXTENSIONS": extensions, "VSCODE_IPC_HOOK_CLI": "", "PATH": path, **variables}
        with mock.patch.dict(os.environ, variables):
            found = self.report.show()
        if not os.path.exists(said):
            return found, None
        with open(said, encoding="utf-8") as lines:
            return found, lines.read().splitlines()

    @OPENS_ITSELF
    def test_gives_vs_code_a_link_that_decodes_to_the_path(self):
        found, said = self.show()
        self.assertIsNone(found)
        self.assertEqual(said[:-1], ["--open-url", "--"])
        start = "vscode://captious.captious/open?report="
        self.assertTrue(said[-1].startswith(start))
        self.assertRegex(said[-1][len(start) :], r"^[\w.%~-]+$")
        self.assertEqual(urllib.parse.unquote(said[-1][len(start) :]), self.report.path)

    @unittest.skipIf(sys.platform == "win32", "Windows opens links itself")
    def test_uses_the_link_of_a_remote_window(self):
        self.assertEqual(self.show(VSCODE_IPC_HOOK_CLI="/run/vscode.sock")[1][:-1], ["--openExternal"])

    @OPENS_ITSELF
    def test_writes_a_page_if_vs_code_fails(self):
        found, said = self.show(status=1)
        self.assertEqual(len(said), 3)
        self.assertPage(found)

    def test_writes_a_page_without_the_extension(self):
        found, said = self.show(extension=False)
        self.assertIsNone(said)
        self.assertPage(found)

    def test_a_page_in_a_notebook_names_the_evaluator_and_links_to_the_panel(self):
        extensions = os.path.join(self.home, "extensions")
        os.makedirs(os.path.join(extensions, "captious.captious-0.2.0"))
        for folder, count in ((extensions, 1), (self.home, 0)):
            with mock.patch.dict(os.environ, {"HOME": self.home, "VSCODE_EXTENSIONS": folder}):
                page = captious.load(self.report.path)._repr_html_()
            self.assertRegex(page, r"<h3>[^<]* · epoch 7</h3>")
            links = re.findall(r'href="([^"]*)"', page)
            self.assertEqual(len(links), count)
            for link in links:
                self.assertEqual(urllib.parse.unquote(link.partition("?report=")[2]), self.report.path)

    def assertPage(self, found):
        self.assertEqual(found, self.report.path.replace(".report.json", ".html"))
        with open(found, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("<!doctype html>"))


if __name__ == "__main__":
    unittest.main()
