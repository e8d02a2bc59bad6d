import { say, type Words } from '../base/say';
import { Cell, Fields } from './cell';
import type { Problem, ProblemCode } from './dataset';
import type { Entry } from './entry';
import {
  rowImage,
  type Attribute,
  type Caption,
  type CaptionRole,
  type Example,
  type ExampleForm,
  type ImageRef,
  type Place,
} from './example';
import { isPythonList, pythonList } from './fields/pythonList';

/** Receives the examples and problems that a format finds in rows. */
export interface Sink {
  example(example: Example): void;
  problem(problem: Problem): void;
  /** A column that becomes an attribute even if the format uses it. */
  readonly cluster?: string;
}

/** An example under construction, with its cells' problems. A draft with an error makes no example. */
export class Draft {
  readonly images: ImageRef[] = [];
  readonly captions: Caption[] = [];
  readonly extra: Pick<
    Example,
    'preferred' | 'by' | 'sides' | 'groups' | 'votes' | 'votesFor' | 'references' | 'decisions'
  > = {};
  private readonly tags: Record<string, Attribute> = {};
  private readonly used: string[] = [];
  /** Whether the draft has reported an error. */
  failed = false;
  /** The place of the last row that the draft joined; undefined if the draft has only one row. */
  private last: Place | undefined;

  constructor(
    readonly entry: Entry,
    private readonly sink: Sink,
  ) {}

  /** Returns the cell of a required column. Reports an error if the cell is missing or empty. */
  need(column: string): Cell | undefined {
    const cell = this.take(column);
    if (cell !== undefined && cell.value !== null && cell.value !== '') return cell;
    const message =
      cell?.value === '' ? say('dataset.fieldEmpty', column) : say('dataset.fieldMissing', column);
    this.report('missing-field', 'error', message, cell, column);
    return undefined;
  }

  take(column: string): Cell | undefined {
    this.used.push(column);
    return this.entry.fields.get(column);
  }

  /** Adds the image in a column. `name` turns the cell's text into a file name. */
  addImage(column: string, name = (given: string) => given): void {
    const cell = this.need(column);
    if (cell === undefined) return;
    const image = imageOf(cell, this.entry);
    if (image === undefined) this.fail('wrong-type', say('dataset.fieldNotImageName', column), cell);
    else if (image.bytes !== undefined) this.images.push(image);
    else this.images.push({ ...image, name: this.entry.imagePath(name(image.name)) });
  }

  /** Adds an attribute that is not a column of the file. */
  tag(name: string, value: Attribute): void {
    put(this.tags, name, value);
  }

  /** Returns the items of a list in JSON, Parquet or Python notation. Reports an error if the cell has no list. */
  list(column: string): readonly Cell[] | undefined {
    const cell = this.need(column);
    if (cell === undefined) return undefined;
    const cells = listOf(cell);
    if (cells === undefined) this.fail('wrong-type', say('dataset.fieldNotCaptionList', column), cell);
    return cells;
  }

  /** Adds the caption in a column. Reports an error if the caption is missing or empty. */
  addCaption(column: string, role: CaptionRole, image = 0): void {
    const cell = this.need(column);
    if (cell !== undefined) this.addText(cell, column, role, image, 'error');
  }

  /** Adds a caption or a list of captions. An empty caption in a list is skipped. */
  addCaptions(column: string, role: CaptionRole, image = 0): void {
    const cell = this.need(column);
    if (cell === undefined) return;
    const cells = listOf(cell);
    if (cells === undefined) {
      this.addText(cell, column, role, image, 'error');
      return;
    }
    const before = this.captions.length;
    for (const item of cells) this.addText(item, column, role, image, 'warning');
    if (this.captions.length === before && !this.failed)
      this.fail('empty-caption', say('dataset.fieldWithoutCaption', column), cell);
  }

  addText(
    cell: Cell,
    field: string,
    role: CaptionRole,
    image: number,
    severity: Problem['severity'],
  ): boolean {
    let textCell: Cell | undefined = cell;
    if (cell.value instanceof Fields)
      textCell = cell.value.get('raw') ?? cell.value.get('caption') ?? cell.value.get('text');
    if (textCell === undefined || typeof textCell.value !== 'string') {
      this.report('wrong-type', severity, say('dataset.fieldNotText', field), cell);
      return false;
    }
    if (textCell.value.trim() === '') {
      this.report('empty-caption', severity, say('dataset.emptyCaption', field), textCell);
      return false;
    }
    if (isPythonList(textCell.value)) {
      this.report('wrong-type', severity, say('dataset.listInsteadOfCaption', field), textCell);
      return false;
    }
    const place = this.entry.placeOf(textCell);
    let text = textCell.value;
    if (damaged.test(text)) {
      text = text.replace(unpaired, '\ufffd');
      this.report('encoding', 'warning', say('dataset.damagedCaption', field), textCell);
    }
    this.captions.push({ text, role, image, field, ...(place === undefined ? {} : { place }) });
    return true;
  }

  fail(code: ProblemCode, message: Words, cell?: Cell): void {
    this.report(code, 'error', message, cell);
  }

  warn(code: ProblemCode, message: Words, cell?: Cell): void {
    this.report(code, 'warning', message, cell);
  }

  /** Adds the captions of a later row about the same image. */
  join(later: Draft): void {
    for (const caption of later.captions) this.captions.push(caption);
    this.last = later.entry.place;
  }

  /** Sends the finished example to the sink, unless the draft has an error. */
  finish(form: ExampleForm, idColumn?: string, id?: string): void {
    if (this.failed) return;
    const { entry } = this;
    if (entry.fields.repeated !== undefined)
      this.warn('duplicate-key', say('dataset.keyRepeated', entry.fields.repeated));
    const given = idColumn === undefined ? undefined : this.take(idColumn)?.value;
    const own =
      id ?? entry.key ?? (typeof given === 'string' || typeof given === 'number' ? String(given) : '');
    const place = this.place();
    nameRepeats(this.captions, entry.row, place, this.sink);
    this.sink.example({
      id: own === '' ? String(entry.row) : own,
      form,
      row: entry.row,
      ...(place === undefined ? {} : { place }),
      images: this.images,
      captions: this.captions,
      ...this.extra,
      attributes: this.attributes(),
    });
  }

  private place(): Place | undefined {
    const { place } = this.entry;
    if (place === undefined || this.last === undefined) return place;
    return { ...place, length: this.last.offset + this.last.length - place.offset };
  }

  /** Makes attributes of tags and of columns outside `skip`. By default, skips the columns that the format uses. */
  attributes(skip: readonly string[] = this.used): Record<string, Attribute> {
    const out: Record<string, Attribute> = {};
    const { cluster } = this.sink;
    const hidden = cluster === undefined ? skip : skip.filter((column) => column !== cluster);
    collect(this.entry.fields, '', hidden, out, 0);
    for (const [name, value] of Object.entries(this.tags)) put(out, name, value);
    return out;
  }

  private report(
    code: ProblemCode,
    severity: Problem['severity'],
    message: Words,
    cell?: Cell,
    instead?: string,
  ): void {
    if (severity === 'error') this.failed = true;
    const { row } = this.entry;
    const place = (cell === undefined ? undefined : this.entry.placeOf(cell)) ?? this.entry.place;
    this.sink.problem({
      code,
      severity,
      message,
      row,
      ...(place === undefined ? {} : { place }),
      ...(instead === undefined ? {} : { instead }),
    });
  }
}

/** Reports captions that an image has more than once. */
export function nameRepeats(
  captions: readonly Caption[],
  row: number,
  place: Place | undefined,
  sink: Pick<Sink, 'problem'>,
): void {
  if (captions.length < 2) return;
  const seen = new Map<string, Caption>();
  for (const caption of captions) {
    const key = `${caption.image} ${caption.text}`;
    const twin = seen.get(key);
    if (twin === undefined) {
      seen.set(key, caption);
      continue;
    }
    const at = caption.place ?? place;
    sink.problem({
      code: 'duplicate-caption',
      severity: 'warning',
      message:
        caption.role === twin.role
          ? say('dataset.captionTwiceInEntry')
          : say('dataset.rolesHaveSameCaption', nameOfRole[caption.role], nameOfRole[twin.role]),
      row,
      ...(at === undefined ? {} : { place: at }),
    });
  }
}

export const nameOfRole: Record<CaptionRole, Words> = {
  caption: say('dataset.caption'),
  negative: say('dataset.roleNegative'),
  altered: say('dataset.roleAltered'),
  candidate: say('dataset.roleCandidate'),
};

const damaged = /[\ud800-\udfff\ufffd]/u;
const unpaired = /[\ud800-\udfff]/gu;

/** Collects single values as attributes. Dots join the names of nested values. Lists are skipped. */
function collect(
  fields: Fields,
  prefix: string,
  skip: readonly string[],
  out: Record<string, Attribute>,
  depth: number,
): void {
  for (let i = 0; i < fields.names.length; i++) {
    const name = fields.names[i];
    const { value } = fields.cells[i];
    if (depth === 0 && skip.includes(name)) continue;
    if (value instanceof Fields) {
      if (depth < 3) collect(value, `${prefix}${name}.`, skip, out, depth + 1);
    } else if (value === null || typeof value === 'string' || typeof value === 'boolean')
      put(out, prefix + name, value);
    else if (typeof value === 'number') put(out, prefix + name, Number.isFinite(value) ? value : null);
  }
}

function put(out: Record<string, Attribute>, name: string, value: Attribute): void {
  if (name === '__proto__')
    Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true });
  else out[name] = value;
}

/** The items of a list in JSON, Parquet or Python notation; undefined if the cell has no list. */
export function listOf({ value }: Cell): readonly Cell[] | undefined {
  if (Array.isArray(value)) return value as readonly Cell[];
  return typeof value === 'string' ? pythonList(value)?.map((text) => new Cell(text, -1, -1)) : undefined;
}

/** The image that a cell gives as a path, a number, bytes, or the Hugging Face hub's {bytes, path}. */
function imageOf(cell: Cell, entry: Entry): ImageRef | undefined {
  const { value } = cell;
  if (typeof value === 'string') return { name: value };
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { name: String(value) };
  if (value instanceof Uint8Array) return { name: rowImage(entry.row), bytes: value };
  if (!(value instanceof Fields)) return undefined;
  const path = ['path', 'file_name', 'filename', 'src', 'url']
    .map((name) => value.get(name)?.value)
    .find((text) => typeof text === 'string' && text !== '');
  const bytes = value.get('bytes')?.value;
  if (bytes instanceof Uint8Array)
    return { name: typeof path === 'string' ? path : rowImage(entry.row), bytes };
  return typeof path === 'string' ? { name: path } : undefined;
}
