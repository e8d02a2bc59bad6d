interface Kept {
  op: string;
  share: number;
}

/** How much of an image the altered images of a kind keep, such as mix-0.9. Undefined for other kinds. */
export function keptBy(kind: string): Kept | undefined {
  const [, op, share] = /^(mix|patch)-(0?\.\d+)$/.exec(kind) ?? [];
  return share === undefined ? undefined : { op, share: Number(share) };
}

/** Whether the caption may be true of altered images of this kind, so that finding one of them first is no error. */
export function mayStayTrue(kind: string): boolean {
  return (keptBy(kind)?.share ?? 0) > 0.5;
}
