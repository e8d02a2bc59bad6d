"""A model of transformers behind the chat completions API, with the log-probabilities that vLLM returns.

python served.py FOLDER: prints its address, then answers until it is killed.
"""

import base64
import io
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import torch
import transformers
from PIL import Image

FOLDER = sys.argv[1]
model = transformers.LlavaForConditionalGeneration.from_pretrained(FOLDER).eval()
processor = transformers.AutoProcessor.from_pretrained(FOLDER)
tokenizer = processor.tokenizer


def opened(url):
    return Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1]))).convert("RGB")


def complete(body):
    parts = {part["type"]: part for part in body["messages"][0]["content"]}
    prompt = "USER: <image>\n{} ASSISTANT:".format(parts["text"]["text"])
    if len(body["messages"]) > 1:
        assert body["continue_final_message"] and not body["add_generation_prompt"]
        prompt += " " + body["messages"][1]["content"]
    inputs = processor(images=opened(parts["image_url"]["image_url"]["url"]), text=prompt, return_tensors="pt")
    with torch.inference_mode():
        logits = model(**inputs).logits[0].log_softmax(dim=-1)
    ids = inputs["input_ids"][0].tolist()
    answer = int(logits[-1].argmax())
    choice = {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": tokenizer.decode([answer])}}
    if body.get("logprobs"):
        best = logits[-1].topk(min(body["top_logprobs"], logits.shape[1]))
        top = [{"token": tokenizer.decode([i]), "logprob": value} for value, i in zip(best.values.tolist(), best.indices.tolist())]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": merged(top)}]}
    said = {"object": "chat.completion", "model": body["model"], "choices": [choice], "usage": {"prompt_tokens": len(ids), "completion_tokens": 1}}
    if "prompt_logprobs" in body:
        assert body["prompt_logprobs"] == 0
        said["prompt_logprobs"] = [None] + [
            {str(i): {"logprob": logits[at, i].item(), "rank": 1, "decoded_token": tokenizer.decode([i])}} for at, i in enumerate(ids[1:])
        ]
    return said


def merged(top):
    """One entry for each text, with the sum of its tokens' probabilities."""
    sums = {}
    for one in top:
        sums.setdefault(one["token"], []).append(one["logprob"])
    return [{"token": token, "logprob": torch.tensor(values).logsumexp(0).item()} for token, values in sums.items()]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        answer = json.dumps(complete(json.loads(self.rfile.read(int(self.headers["content-length"]))))).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print("http://127.0.0.1:{}/v1".format(server.server_port), flush=True)
server.serve_forever()
