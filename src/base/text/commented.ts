/*
 * Reads files of settings, JSON with comments or YAML, and remembers where each value is. The parsers are loaded with
 * the first file, because the extension starts earlier without them.
 */
import type * as Jsonc from 'jsonc-parser';
import type * as Yaml from 'yaml';
import { CaptiousError, inputError } from '../errors';
import { say, type Words } from '../say';
import { mistake } from './jsonOf';

/* eslint-disable @typescript-eslint/no-require-imports */
const jsonc = () => require('jsonc-parser') as typeof Jsonc;
const yaml = () => require('yaml') as typeof Yaml;
/* eslint-enable @typescript-eslint/no-require-imports */

type Path = readonly (string | number)[];

/** A place in a text, counted from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

export interface Commented {
  value: unknown;
  /** The place of a value. If nothing has this path, the place of the nearest value around it. */
  placeOf: (path: Path) => TextPlace;
  /** The place of a key of an object. */
  keyPlaceOf: (path: Path) => TextPlace;
}

/** Whether the name of a file says that it is YAML. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Throws a CaptiousError with the line and the column of the first mistake. `path` names the file. */
export function readCommented(text: string, path: string, asYaml = isYaml(path)): Commented {
  try {
    return asYaml ? readYaml(text, path) : readJsonc(text, path);
  } catch (error) {
    // Both parsers are recursive.
    if (!(error instanceof RangeError)) throw error;
    throw new CaptiousError('input', say('base.nestedTooDeeply'), { at: path, cause: error });
  }
}

/** Such as "captious.json:3:15". */
export function placed(path: string, { line, column }: TextPlace): string {
  return `${path}:${line}:${column}`;
}

function wrong(what: Words, path: string, place: TextPlace, remedy?: Words): CaptiousError {
  return inputError(what, remedy, placed(path, place));
}

function readJsonc(given: string, path: string): Commented {
  const { findNodeAtLocation, getNodeValue, parseTree } = jsonc();
  const text = given.replace(/^\ufeff/, '');
  const errors: Jsonc.ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const placeAt = (offset: number): TextPlace => {
    const before = text.slice(0, offset);
    const line = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - line + 1 };
  };
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const words = first === undefined ? say('base.jsonValueExpected') : mistake(first.error);
    throw wrong(
      say('base.invalidCommentedJson', words),
      path,
      placeAt(first?.offset ?? 0),
      say('base.correctAtPlace'),
    );
  }
  const twice = repeatedKey(root);
  if (twice !== undefined)
    throw wrong(say('base.keyTwice', String(twice.value)), path, placeAt(twice.offset));
  const nodeOf = (at: Path): Jsonc.Node =>
    at.length === 0 ? root : (findNodeAtLocation(root, [...at]) ?? nodeOf(at.slice(0, -1)));
  return {
    value: getNodeValue(root),
    placeOf: (at) => placeAt(nodeOf(at).offset),
    keyPlaceOf: (at) => placeAt((findNodeAtLocation(root, [...at])?.parent ?? nodeOf(at)).offset),
  };
}

function repeatedKey(node: Jsonc.Node): Jsonc.Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) return key;
    if (key !== undefined) seen.add(key.value);
    const inner = repeatedKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function readYaml(text: string, path: string): Commented {
  const { isMap, isScalar, LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // An unknown tag is only a warning of the library, but its value may not be what the tag says.
  const [first] = [
    ...document.errors,
    ...document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED'),
  ];
  if (first !== undefined)
    throw wrong(say('base.invalidYaml', first.message.replace(/\.$/, '')), path, placeAt(first.pos[0]));
  const offsetOf = (node: unknown): number | undefined =>
    (node as { range?: [number, number, number] | null } | undefined)?.range?.[0];
  const nodeOf = (at: Path): unknown => (at.length === 0 ? document.contents : document.getIn(at, true));
  const nearest = (at: Path): number =>
    offsetOf(nodeOf(at)) ?? (at.length === 0 ? 0 : nearest(at.slice(0, -1)));
  const keyOf = (at: Path): number => {
    const map = nodeOf(at.slice(0, -1));
    const pair = isMap(map)
      ? map.items.find(({ key }) => (isScalar(key) ? key.value : key) === at.at(-1))
      : undefined;
    return offsetOf(pair?.key) ?? nearest(at);
  };
  return {
    value: valueOf(() => document.toJS(), path),
    placeOf: (at) => placeAt(nearest(at)),
    keyPlaceOf: (at) => placeAt(keyOf(at)),
  };
}

/** The library limits how often aliases are expanded. */
function valueOf(read: () => unknown, path: string): unknown {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new CaptiousError('input', say('base.aliasesUnresolved'), { at: path, cause });
  }
}
