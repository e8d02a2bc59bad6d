import { inputError, throwIfCancelled } from '../../base/errors';
import { chunksOf } from '../../base/files/readFile';
import { say } from '../../base/say';
import type { FieldMap } from '../../dataset/fields/fields';
import { type Caption, type Example, lineOf, type Place } from '../../dataset/example';
import { openDataset } from '../../dataset/open';

/** Which caption of a file to explain. Without `caption`, the one at the line, or the example's first one. */
export interface Wanted {
  /** Counted from 1. With `part`, in this file of a dataset of several. */
  line?: number;
  part?: string;
  id?: string;
  /** The number of the caption within its example, counted from 1. */
  caption?: number;
}

const newline = 10;

export interface FoundCaption {
  example: Example;
  caption: Caption;
  line?: number | string;
}

/** Finds a caption in a dataset. Throws if the file has no such example or caption. */
export async function findCaption(
  path: string,
  wanted: Wanted,
  { map, signal }: { map?: FieldMap | undefined; signal?: AbortSignal | undefined } = {},
): Promise<FoundCaption> {
  const dataset = await openDataset(path, { map, signal });
  let near: { example: Example; line: number } | undefined;
  for await (const example of dataset.read({ signal })) {
    throwIfCancelled(signal);
    if (wanted.id !== undefined) {
      if (example.id === wanted.id) return chosen(path, example, wanted);
      continue;
    }
    const own = example.captions.find(({ place }) => isAt(place, wanted));
    if (own !== undefined && wanted.caption === undefined)
      return { example, caption: own, line: lineOf(own.place) };
    if (own !== undefined || isAt(example.place, wanted)) return chosen(path, example, wanted);
    const line = example.place?.line ?? Infinity;
    if (example.place?.part === wanted.part && line < wanted.line! && line > (near?.line ?? 0))
      near = { example, line };
  }
  if (near !== undefined && (await reaches(path, near.example, wanted)))
    return chosen(path, near.example, wanted);
  throw wanted.id === undefined
    ? inputError(say('explain.noExampleAtLine'), say('explain.chooseLine'), `${path}:${wanted.line}`)
    : inputError(say('explain.noExampleWithId', wanted.id), say('explain.chooseId'), path);
}

/** Whether an entry of several lines reaches a line. Entries of several files are found only by their own lines. */
async function reaches(path: string, { place }: Example, { line, part }: Wanted): Promise<boolean> {
  if (place === undefined || part !== undefined) return false;
  const end = place.offset + place.length;
  let [at, last] = [0, place.line];
  for await (const chunk of chunksOf(path, end)) {
    for (let i = Math.max(0, place.offset - at); i < chunk.length && at + i < end; i++)
      if (chunk[i] === newline) last++;
    at += chunk.length;
  }
  return line! <= last;
}

/** The examples at these lines, in one reading of the file. A line without an example is missing in the result. */
export async function findLines(
  path: string,
  lines: ReadonlySet<number>,
  { map, signal }: { map?: FieldMap | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Map<number, Example>> {
  const found = new Map<number, Example>();
  for await (const example of (await openDataset(path, { map, signal })).read({ signal }))
    for (const place of [example.place, ...example.captions.map((caption) => caption.place)])
      if (place !== undefined && lines.has(place.line) && !found.has(place.line))
        found.set(place.line, example);
  return found;
}

function isAt(place: Place | undefined, { line, part }: Wanted): boolean {
  return place !== undefined && place.line === line && place.part === part;
}

function chosen(path: string, example: Example, { caption: nth }: Wanted): FoundCaption {
  const { captions } = example;
  const caption =
    nth === undefined
      ? (captions.find(({ role }) => role === 'caption') ?? captions.at(0))
      : captions.at(nth - 1);
  if (caption === undefined)
    throw inputError(
      say('explain.noSuchCaption', example.id, captions.length),
      say('explain.chooseCaptionNumber'),
      `${path}:${lineOf(example.place) ?? example.id}`,
    );
  return { example, caption, line: lineOf(caption.place ?? example.place) };
}

/** The text that a text encoder compares a caption with: another caption of the image, or else the caption itself. */
export function comparedWith({ captions }: Example, { text, image }: Caption): string {
  const others = captions.filter((other) => other.text !== text && other.image === image);
  return (others.find(({ role }) => role === 'caption') ?? others.at(0))?.text ?? text;
}
