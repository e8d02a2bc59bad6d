import { basename } from 'node:path';

/** The number in a COCO image name, such as COCO_val2014_000000391895.jpg, 000000391895.jpg or 391895. */
export function cocoNumber(name: string): number | undefined {
  const match = /^(?:COCO_(?:train|val|test)\d{4}_)?(\d{1,12})(?:\.\w{2,5})?$/i.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Whether a file name has COCO's form: twelve digits and an extension, with or without a prefix. */
export function hasCocoForm(path: string): boolean {
  return /^(?:COCO_(?:train|val|test)\d{4}_)?\d{12}\.\w{2,5}$/i.test(basename(path));
}

/** The part of COCO that a file's name or its folder says, such as val2014. */
export function cocoSplit(folder: string | undefined, file: string): string | undefined {
  const prefix = /^COCO_((?:train|val|test)\d{4})_/i.exec(file)?.[1];
  return (prefix ?? (/^(?:train|val|test)\d{4}$/i.test(folder ?? '') ? folder : undefined))?.toLowerCase();
}

/** Whether two parts of COCO have no image in common: they are of one year. */
function areDisjoint(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b && a.slice(-4) === b.slice(-4);
}

/**
 * The number by which a name identifies one of COCO's images, and the part of COCO if known; undefined for other names.
 * Numbers are COCO's alone, without a folder, or with a folder or prefix such as val2014.
 */
export function cocoIdentity(
  folders: readonly string[],
  file: string,
): { number: number; split?: string } | undefined {
  const number = cocoNumber(file);
  const split = cocoSplit(folders.at(-1), file);
  if (number === undefined) return undefined;
  if (split !== undefined) return isLong(file) ? { number, split } : undefined;
  return folders.length === 0 ? { number } : undefined;
}

/** Whether a name has twelve digits, as COCO's files have. */
function isLong(file: string): boolean {
  return /(?:^|_)\d{12}(?:\.|$)/.test(file);
}

/** Whether two names are of one COCO image, whatever their folders. At least one must have COCO's twelve digits. */
export function areOneCocoImage(
  a: { folders: readonly string[]; file: string },
  b: { folders: readonly string[]; file: string },
): boolean {
  const [one, other] = [cocoIdentity(a.folders, a.file), cocoIdentity(b.folders, b.file)];
  return (
    one !== undefined &&
    one.number === other?.number &&
    (isLong(a.file) || isLong(b.file)) &&
    !areDisjoint(one.split, other.split)
  );
}
