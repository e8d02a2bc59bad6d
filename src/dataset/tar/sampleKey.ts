/** A file's key and the rest of its name: `a/b.seg.png` has the key `a/b` and the ending `seg.png`. */
export interface SampleKey {
  key: string;
  /** In lower case. */
  ending: string;
}

/** Splits a name at the first dot after its folder, as the webdataset library does. Undefined for other files. */
export function sampleKey(name: string): SampleKey | undefined {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.indexOf('.', slash);
  return dot <= slash ? undefined : { key: name.slice(0, dot), ending: name.slice(dot + 1).toLowerCase() };
}

export interface Role {
  kind: 'image' | 'text' | 'json';
  /** The column of the member; undefined for JSON whose fields are columns. */
  column?: string;
}

/** What a member with this ending is: `jpg` is the image, `txt` the caption, and `image_0.jpg` the column image_0. */
export function roleOf(ending: string): Role | undefined {
  const found = /^(?:(.+)\.)?(?:(jpe?g|png|webp)|(txt|text|caption)|json)$/.exec(ending);
  if (found === null) return undefined;
  const [, column, image, text] = found;
  if (image !== undefined) return { kind: 'image', column: column ?? 'image' };
  if (text !== undefined) return { kind: 'text', column: column ?? 'caption' };
  return { kind: 'json', ...(column === undefined ? {} : { column }) };
}
