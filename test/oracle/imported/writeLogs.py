"""Lets Inspect write the logs in test/fixtures/logs, with a model that answers by a seed: python writeLogs.py FOLDER

The logs of lmms-eval there were written by its EvaluationTracker.save_results_samples, and the instances of Every Eval
Ever by its converter for Inspect, from the first samples of a.eval.
"""

import os
import random
import shutil
import sys

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

@scorer(metrics=[accuracy(), stderr(cluster="image")])
def exact():
    async def score(state: TaskState, target: Target):
        return Score(value="C" if state.output.completion == target.text else "I", answer=state.output.completion)
    return score

@scorer(metrics=[mean(), stderr(cluster="image")])
def length():
    async def score(state: TaskState, target: Target):
        return Score(value=len(state.output.completion) / 10)
    return score

def samples(n):
    return [Sample(id=f"s{i}", input=f"What is in image {i // 2}?", target="cat", metadata={"image": f"img{i // 2:02}.jpg"}) for i in range(n)]

def log(model, seed, right, n, epochs):
    draws = random.Random(seed)
    outputs = []
    for _ in range(n * epochs):
        output = ModelOutput.from_content(model, "cat" if draws.random() < right else "a dog")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        outputs.append(output)
    task = Task(dataset=MemoryDataset(samples(n), name="animals"), solver=generate(), scorer=[exact(), length()], name="animals")
    made = eval(task, model=get_model(f"mockllm/{model}", custom_outputs=outputs), epochs=epochs, log_dir="./logs", display="none", max_samples=1)[0]
    assert made.status == "success", made.error
    made.eval.model_args = {}
    for sample in made.samples:
        sample.events, sample.messages, sample.store = [], [], {}
        sample.role_usage = {}
    return made

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for model, seed, right in [("a", 1, 0.5), ("b", 2, 0.85)]:
    write_eval_log(log(model, seed, right, 48, 1), f"{folder}/{model}.eval")
write_eval_log(log("a", 3, 0.5, 6, 3), f"{folder}/epochs.json")
shutil.rmtree("./logs")
