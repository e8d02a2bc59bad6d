"""The module with the libraries of notebooks. Each test is skipped where its libraries are not installed."""

import contextlib
import importlib.util
import io
import os
import shutil
import tempfile
import unittest
from unittest import mock

from toys import IMAGES, ROOT, SAMPLES, Towers, rows, whole

import captious


def needs(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, "not installed: {}".format(", ".join(missing)))


class Libraries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out")
        self.rows = rows(30)

    def audit(self, data, evaluator=None, **options):
        given = {"images": IMAGES, "out": self.out, "progress": False, **options}
        return captious.audit(data, "lgip", Towers() if evaluator is None else evaluator, **given)

    def expected(self):
        return whole(self.audit(self.rows))

    def with_images(self):
        from PIL import Image

        return [{**row, "image": Image.open(os.path.join(IMAGES, row["image"]))} for row in self.rows]

    @needs("pandas")
    def test_pandas(self):
        import pandas

        frame = pandas.DataFrame(self.rows)
        frame["note"] = [None, float("nan")] * 15
        frame["when"] = pandas.Timestamp("2020-01-01")
        report = self.audit(frame)
        self.assertEqual(whole(report), self.expected())
        columns = ["id", "value", "low", "high", "n", "images", "slice"]
        self.assertEqual(list(report.metrics.columns)[:7], columns)
        self.assertEqual(report.metrics.query("id == 'lgip.pr' and slice.isna()").value.item(), report.value("lgip.pr"))
        self.assertEqual(len(report.rows()), 5 * 30)
        self.assertEqual(len(self.audit(frame, seeds=1).rows()), 30)
        self.assertIn("place.line", report.rows().columns)
        found = captious.compare(report, self.audit(frame, {"other": Towers(salt=b"x")}))
        self.assertEqual(found.iloc[0].probe, "lgip")

    @needs("pandas")
    def test_pandas_as_it_is_found(self):
        import pandas

        frame = pandas.DataFrame(self.rows)
        # The index says nothing about the rows.
        self.assertEqual(whole(self.audit(frame.set_axis([7] * len(frame)))), self.expected())
        missing = frame.assign(caption=pandas.array([pandas.NA, *frame.caption[1:]], dtype="string"))
        dataset = self.audit(missing).to_dict()["dataset"]
        self.assertEqual((dataset["examples"], dataset["skipped"]), (29, 1))
        for wrong in (frame.assign(caption=float("nan")), pandas.concat([frame, frame[["caption"]]], axis=1), frame.head(0)):
            with self.assertRaises(captious.CaptiousError):
                self.audit(wrong)

    @needs("numpy")
    def test_complex_numbers(self):
        import numpy

        class Complex(Towers):
            def embed_texts(self, texts):
                return numpy.ones((len(texts), 8), dtype=complex)

        with self.assertRaisesRegex(captious.CaptiousError, "complex"):
            self.audit(self.rows, Complex())

    @needs("polars")
    def test_polars(self):
        import polars

        frame = polars.DataFrame(self.rows)
        for one in (frame, frame.lazy()):
            self.assertEqual(whole(self.audit(one)), self.expected())

    @needs("datasets")
    def test_datasets(self):
        import datasets

        self.assertEqual(whole(self.audit(datasets.Dataset.from_list(self.rows))), self.expected())
        paths = [{**row, "image": os.path.join(IMAGES, row["image"])} for row in self.rows]
        decoded = datasets.Dataset.from_list(paths).cast_column("image", datasets.Image())
        self.assertEqual(whole(self.audit(decoded, images=None))["lgip.pr"], self.expected()["lgip.pr"])

    @needs("PIL")
    def test_pil(self):
        report = self.audit(self.with_images(), images=None)
        # Towers hashes the pixels, so decoding and storing the images has changed none.
        by_file = {row["text"]: row["score"] for row in self.audit(self.rows).iter_rows()}
        same = [row["score"] == by_file[row["text"]] for row in report.iter_rows()]
        self.assertGreater(sum(same), 25)

    @needs("PIL")
    def test_gives_pil_images(self):
        from PIL import Image

        seen = []

        class Sees(Towers):
            images = None

            def embed_images(self, images):
                seen.extend(images)
                return [[1.0, image.width / image.height] for image in images]

            def embed_texts(self, texts):
                return [[1.0, len(text) / 50] for text in texts]

        self.audit(self.rows, Sees())
        self.assertTrue(seen and all(isinstance(image, Image.Image) and image.mode == "RGB" for image in seen))

    @needs("torch", "numpy", "PIL")
    def test_torch(self):
        import numpy
        import torch

        class Model(torch.nn.Module):
            images = "array"

            def __init__(self):
                super().__init__()
                torch.manual_seed(0)
                self.layer = torch.nn.Linear(3, 4)

            def embed_images(self, images):
                return self.layer(torch.tensor(numpy.stack([image.mean((0, 1)) / 255 for image in images]), dtype=torch.float32))

            def embed_texts(self, texts):
                return self.layer(torch.tensor([[len(text) / 99, text.count("a") / 9, 1.0] for text in texts]))

        data = [{**row, "image": numpy.asarray(row["image"].convert("RGB"))} for row in self.with_images()]
        loader = torch.utils.data.DataLoader(self.rows, batch_size=8)
        report = self.audit(loader, Model().eval())
        self.assertEqual(whole(self.audit(data, Model().eval(), images=None))["lgip.pr"], whole(report)["lgip.pr"])
        self.assertIn("torch", report.to_dict()["evaluator"]["provider"])
        with self.assertRaises(captious.CaptiousError):
            self.audit([{"image": torch.zeros(3, 8, 8), "caption": "x"}], Model())

    @needs("torch", "transformers")
    def test_trainer(self):
        import torch
        from transformers.trainer_callback import CallbackHandler, TrainerCallback, TrainerControl, TrainerState

        class Model(torch.nn.Module):
            images = "raw"

            def __init__(self):
                super().__init__()
                self.learned, self.frozen, self.seen = torch.nn.Linear(2, 4), torch.nn.Dropout(0.5).eval(), set()

            def embed_images(self, images):
                return self.rows([image.width for image in images])

            def embed_texts(self, texts):
                return self.rows([len(text) for text in texts])

            def rows(self, sizes):
                rows = self.learned(torch.tensor([[size / 99, 1.0] for size in sizes]))
                self.seen.add((self.training, self.learned.training, rows.requires_grad))
                return rows

        model = Model().train()
        model.frozen.eval()
        callback = captious.Callback(self.rows, "lgip", every=2, out=self.out, images=IMAGES)
        self.assertIsInstance(callback, TrainerCallback)
        handler = CallbackHandler([callback], model, None, None, None)
        state, control = TrainerState(), TrainerControl()
        for state.global_step in range(1, 5):
            handler.call_event("on_step_begin", None, state, control)
            handler.call_event("on_step_end", None, state, control)
        self.assertEqual(callback.failures, {})
        self.assertEqual(model.seen, {(False, False, False)})
        self.assertEqual((model.training, model.learned.training, model.frozen.training), (True, True, False))
        self.assertEqual(len(callback.trend("lgip.inv").steps), 2)

    @needs("tqdm")
    def test_tqdm(self):
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            self.audit(self.rows, progress=True)
        self.assertIn("lgip", shown.getvalue())

    @needs("nbclient", "ipykernel", "pandas", "PIL", "IPython")
    def test_notebook(self):
        shown = self.shown_by("notebook.ipynb", SAMPLES)
        self.assertTrue(any('<div class="captious">' in page and "<svg" in page for page in shown))

    @needs("nbclient", "ipykernel", "pandas", "IPython")
    def test_training_notebook(self):
        os.makedirs(self.out)
        shutil.copy(os.path.join(SAMPLES, "triplets.tsv"), self.out)
        shown = self.shown_by("training.ipynb", self.out)
        self.assertTrue(any('<div class="captious">' in page and "<svg" in page and "visla.t2t by step" in page for page in shown))
        steps = [one["step"] for one in captious.trend(os.path.join(self.out, "checkpoints")).to_dict()["steps"]]
        self.assertEqual(steps, list(range(20, 201, 20)))

    def shown_by(self, name, folder):
        """Runs a notebook of the samples in a folder. Returns the markup that its cells show."""
        import nbclient
        import nbformat

        notebook = nbformat.read(os.path.join(SAMPLES, name), as_version=4)
        nbformat.validate(notebook)
        self.assertFalse(any(cell.get("outputs") for cell in notebook.cells))
        # The kernel imports the module of this checkout.
        path = [os.path.join(ROOT, "python"), os.environ.get("PYTHONPATH")]
        with mock.patch.dict(os.environ, PYTHONPATH=os.pathsep.join(part for part in path if part)):
            nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}}).execute()
        kept = os.environ.get("CAPTIOUS_TEST_NOTEBOOK")
        if kept:
            nbformat.write(notebook, os.path.join(kept, name))
        return [output["data"].get("text/html", "") for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]


if __name__ == "__main__":
    unittest.main()
