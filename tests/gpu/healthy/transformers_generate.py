"""A small GPT-2 with random weights generates text, greedily, in half precision."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
config = GPT2Config(n_layer=2, n_head=4, n_embd=128, vocab_size=500, bos_token_id=0, eos_token_id=1)
model = GPT2LMHeadModel(config).cuda().half().eval()
prompt = torch.arange(2, 10, device="cuda")[None]
with torch.no_grad():
    tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=24,
                            min_new_tokens=24, do_sample=False, pad_token_id=1)
print("tokens", tokens.shape[1])
