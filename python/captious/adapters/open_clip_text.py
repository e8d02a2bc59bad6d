"""Encodes texts with open_clip's model, and cuts each batch after its last end token."""


class TextTower:
    """Encodes texts, and cuts each batch after its last end token if this cannot change the embeddings."""

    def __init__(self, model):
        self._tower = tower = model if hasattr(model, "token_embedding") else model.text
        self._pool = getattr(tower, "text_pool_type", None) or getattr(tower, "pool_type", None)
        self._end = getattr(tower, "text_eos_id", None) or getattr(tower, "eos_id", None)
        self._mask = mask = getattr(tower, "attn_mask", None)
        is_plain = getattr(tower, "cls_emb", None) is None and not getattr(tower, "use_pad_mask", False)
        self.is_free = (
            hasattr(tower, "token_embedding")
            and mask is not None
            and is_causal(mask)
            and is_plain
            and self._pool in ("argmax", "eos")
        )
        self.encode = self._encode if self.is_free else model.encode_text

    def cut(self, ids):
        """Cuts the ids after the last end token of the batch."""
        if not self.is_free:
            return ids
        if self._pool == "argmax":
            return ids[:, : int(ids.argmax(dim=1).max()) + 1]
        is_end = ids == self._end
        if not bool(is_end.any(dim=1).all()):
            return ids
        return ids[:, : int(is_end.int().argmax(dim=1).max()) + 1]

    def _encode(self, ids):
        from open_clip.transformer import text_global_pool

        tower, length = self._tower, ids.shape[1]
        dtype = tower.transformer.get_cast_dtype()
        hidden = tower.token_embedding(ids).to(dtype) + tower.positional_embedding[:length].to(dtype)
        hidden = tower.ln_final(tower.transformer(hidden, attn_mask=self._mask[:length, :length]))
        pooled = text_global_pool(hidden, ids, self._pool, eos_token_id=self._end)
        projection = tower.text_projection
        if projection is None:
            return pooled
        return projection(pooled) if callable(projection) else pooled @ projection


def is_causal(mask):
    """Whether the mask only keeps each token from attending to later tokens."""
    import torch

    later = torch.ones_like(mask, dtype=torch.bool).triu(1)
    return bool((mask[later] == float("-inf")).all()) and bool((mask[~later] == 0).all())
