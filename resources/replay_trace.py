"""Redo a traced launch on a merged checkpoint in stock transformers: python replay_trace.py CHECKPOINT TRACE.jsonl

Feeds the host's token ids, takes the argmax of the model's logits for the model's, and prints "exact" or the first difference.
"""

import json

import torch
import transformers


def redo(model: transformers.PreTrainedModel, lines: list[dict]) -> str:
    """Compare every token of the model in the trace with what the model says now."""
    host = [line["id"] for line in lines if line["source"] == "host"]
    cache = None
    with torch.no_grad():
        for part in torch.tensor([host]).split(256, dim=1):
            output = model(input_ids=part, cache=cache, use_cache=True, logits_to_keep=1)
            cache = output.cache
        for line in lines[len(host) :]:
            answer = int(output.logits[0, -1].argmax())
            if answer != line["id"]:
                return f"token {line['i']}: the trace has {line['id']} ({line['token']}), the model says {answer}"
            output = model(input_ids=torch.tensor([[answer]]), cache=cache, use_cache=True, logits_to_keep=1)
    return "exact"


if __name__ == "__main__":
    parser = transformers.HfArgumentParser([])
    parser.add_argument("checkpoint")
    parser.add_argument("trace")
    chosen = parser.parse_args()
    with open(chosen.trace, encoding="utf-8") as file:
        trace = [json.loads(line) for line in file]
    verdict = redo(transformers.AutoModelForCausalLM.from_pretrained(chosen.checkpoint, dtype=torch.bfloat16), trace)
    print(verdict)
    raise SystemExit(verdict != "exact")
