import { basename } from 'node:path';
import { Random } from '../../base/random';
import type { Caption, Example } from '../../dataset/example';
import { findInstances, type Instances, readInstances } from '../../dataset/instances';
import type { ImageItem } from '../../protocol/item';
import { maskOf } from '../../perturb/picture/mask';
import { anchors, placeAt } from '../../perturb/picture/place';
import { controlFor, kindOf, nounOf, templateCaption } from '../../perturb/society/caption';
import { type Lexicon, lexicon as builtInLexicon, readLexicon } from '../../perturb/society/lexicon';
import { rewrites } from '../../perturb/society/natural';
import { misfit } from '../../perturb/society/screen';
import type { Plan, PlanContext, PrepareRequest } from '../probe';
import { binOf, dominantOf, type Dominant, staysWhole, touchesEdge } from './objects';
import { type InvarianceOptions, invarianceOptionsFrom } from './options';
import type { InvarianceRow, AuditVariant, RowTransform } from './row';
import { transformsOf } from './row';
import { anchorWants, projectionWants } from './valence';

/** Files next to the dataset. */
export interface Beside {
  instances?: Instances;
  lexicon: Lexicon;
}

export function prepareAudit({ datasetPath, options }: PrepareRequest): Beside {
  const { instances, lexicon } = invarianceOptionsFrom(options);
  const path = instances === '' ? findInstances(datasetPath) : instances;
  const beside: Beside = { lexicon: lexicon === '' ? builtInLexicon : readLexicon(lexicon) };
  if (path !== undefined) beside.instances = readInstances(path);
  return beside;
}

export function besideOf({ beside }: Pick<PlanContext, 'beside'>): Beside {
  if (beside === undefined)
    throw new Error('The audit was not prepared: what lies beside the dataset is not known.');
  return beside as Beside;
}

type PlannedVariant = Omit<AuditVariant, 'score' | 'against' | 'delta' | 'change' | 'seams' | 'valence'> & {
  /** Indices into `wants`, and into `moved` if the object was moved. */
  scoreAt: number;
  againstAt: number;
  movedAt?: number;
  /** First cosine of the word, and of the word with its object, with the anchors of valence. */
  valenceAt?: { word: number; phrase: number };
};

export interface PlannedRow {
  row: Omit<InvarianceRow, 'score' | 'variants'>;
  scoreAt?: number;
  variants: PlannedVariant[];
}

export interface InvariancePlan extends Plan {
  moved: ImageItem[];
  rows: PlannedRow[];
  /** First cosine among the anchors of valence, and the anchors. */
  anchorsAt?: number;
  anchors: Lexicon['valence'];
}

/** Whether to score the dataset's own captions instead of generated ones: yes where no object is known. */
export function scoresOwnCaptions(options: InvarianceOptions, { instances }: Beside): boolean {
  return options.captions !== 'template' || instances === undefined;
}

export function planAudit(example: Example, context: PlanContext): InvariancePlan {
  return new Planner(example, context).plan();
}

class Planner {
  private readonly options: InvarianceOptions;
  private readonly beside: Beside;
  private readonly made: InvariancePlan;
  private readonly wantAt = new Map<string, number>();

  constructor(
    private readonly example: Example,
    private readonly context: PlanContext,
  ) {
    this.options = invarianceOptionsFrom(context.options);
    this.beside = besideOf(context);
    this.made = { wants: [], moved: [], rows: [], anchors: this.beside.lexicon.valence };
  }

  plan(): InvariancePlan {
    const { example, options, beside } = this;
    const known = beside.instances?.pictures.get(basename(example.images[0].name));
    const { object, rejected } = dominantOf(known);
    if (beside.instances !== undefined && options.captions !== 'dataset') {
      const planned = this.templateRow(object);
      planned.row.rejected.push(...rejected);
    }
    for (const [index, caption] of example.captions.entries()) {
      if (caption.role !== 'caption' || caption.text.trim() === '') continue;
      this.captionRow(index, caption, object);
    }
    return this.made;
  }

  private templateRow(object: Dominant | undefined): PlannedRow {
    const { lexicon } = this.beside;
    const text = object === undefined ? '' : templateCaption(lexicon, object.label);
    const planned = this.startRow('template', text, 0, object);
    const photo = this.context.image(0);
    if (object === undefined || photo === undefined) return planned;
    planned.scoreAt = this.want(photo, text);
    if (this.options.spatial) this.spatial(planned, photo, object);
    if (this.options.societal && object.slice === 'single') this.societal(planned, photo, object);
    return planned;
  }

  private captionRow(index: number, caption: Caption, object: Dominant | undefined): void {
    const text = caption.text.trim();
    const own = scoresOwnCaptions(this.options, this.beside);
    const found = this.options.societal ? rewrites(this.beside.lexicon, text) : [];
    if (!own && found.length === 0) return;
    const photo = this.context.image(caption.image);
    if (photo === undefined) return;
    const ofObject = caption.image === 0 ? object : undefined;
    const planned = this.startRow('dataset', text, caption.image, ofObject);
    Object.assign(planned.row, { caption: index, field: caption.field });
    if (caption.place !== undefined) planned.row.captionPlace = caption.place;
    planned.scoreAt = this.want(photo, text);
    if (own && this.options.spatial) this.spatial(planned, photo, ofObject);
    for (const { family, word, neutral, swapped } of found) {
      const shared = { axis: 'societal', family, variant: word.word } as const;
      planned.variants.push({
        ...shared,
        natural: 'neutralised',
        text,
        againstText: neutral,
        scoreAt: planned.scoreAt,
        againstAt: this.want(photo, neutral),
      });
      if (swapped !== undefined)
        planned.variants.push({
          ...shared,
          natural: 'swapped',
          text: swapped,
          againstText: text,
          scoreAt: this.want(photo, swapped),
          againstAt: planned.scoreAt,
        });
    }
  }

  private startRow(
    source: InvarianceRow['source'],
    text: string,
    image: number,
    object: Dominant | undefined,
  ): PlannedRow {
    const { example } = this;
    const row: PlannedRow['row'] = {
      example: example.id,
      row: example.row,
      place: example.place,
      image: example.images.at(image)?.name,
      objects: object?.slice ?? 'none',
      source,
      text,
      rejected: [],
    };
    if (object !== undefined) {
      const { label, category, tied, box, coverage, bitmap } = object;
      row.object = { label, category, tied, box, coverage, bin: binOf(coverage) };
      if (bitmap !== undefined) row.object.mask = maskOf(bitmap);
    }
    const planned: PlannedRow = { row, variants: [] };
    this.made.rows.push(planned);
    return planned;
  }

  private spatial(planned: PlannedRow, photo: ImageItem, object: Dominant | undefined): void {
    const { rejected } = planned.row;
    const before = rejected.length;
    const add = (family: string, variant: string, transform: RowTransform): void => {
      const row = { ...planned.row, score: null, variants: [] };
      const changed = this.transformed(photo, row, { family, variant, transform });
      const variantPlan: PlannedVariant = {
        axis: 'spatial',
        family,
        variant,
        transform,
        scoreAt: this.want(changed, planned.row.text),
        againstAt: planned.scoreAt!,
      };
      if (transform.op === 'move') variantPlan.movedAt = this.made.moved.push(changed) - 1;
      planned.variants.push(variantPlan);
    };
    const firstVariant = planned.variants.length;
    const firstMoved = this.made.moved.length;
    add('vflip', '', { op: 'vflip' });
    add('hflip', '', { op: 'hflip' });
    for (const degrees of [-10, -5, 5, 10]) {
      const name = degrees > 0 ? `+${degrees}` : String(degrees);
      if (object !== undefined && !this.fits(object, degrees))
        rejected.push({
          what: `rotation ${name}`,
          reason: 'it would turn a part of the object out of the picture',
        });
      else add('rotation', name, { op: 'rotate', degrees });
    }
    for (const sigma of [1, 2]) add('blur', String(sigma), { op: 'blur', sigma });
    if (object !== undefined) this.reposition(planned, object, add);
    if (this.options.fit === 'all' && rejected.length > before) {
      planned.variants.length = firstVariant;
      this.made.moved.length = firstMoved;
      rejected.push({ what: 'every transform', reason: 'not all of them fit' });
    }
  }

  private fits(object: Dominant, degrees: number): boolean {
    const known = this.beside.instances?.pictures.get(basename(this.example.images[0].name));
    return known === undefined || staysWhole(object, known.width, known.height, degrees);
  }

  private reposition(
    planned: PlannedRow,
    object: Dominant,
    add: (family: string, variant: string, transform: RowTransform) => void,
  ): void {
    const { fill, feather } = this.options;
    const { bitmap, others } = object;
    const none = (what: string, reason: string): void => {
      planned.row.rejected.push({ what, reason });
    };
    if (bitmap === undefined) {
      none('reposition', 'the object has a box but no outline');
      return;
    }
    if (touchesEdge(object)) {
      none('reposition', 'the edge of the picture cuts the object off');
      return;
    }
    for (const anchor of anchors) {
      const random = new Random(this.context.seed, this.example.id, 0, `reposition ${anchor}`);
      const place = placeAt(anchor, bitmap, others, random);
      if (place.ok) {
        const { dx, dy, tries } = place;
        add('reposition', anchor, { op: 'move', dx, dy, tries, fill, feather });
      } else none(`reposition ${anchor}`, place.reason);
    }
  }

  private societal(planned: PlannedRow, photo: ImageItem, object: Dominant): void {
    const { lexicon } = this.beside;
    const controls = new Set<string>();
    for (const [family, { words }] of Object.entries(lexicon.families)) {
      for (const word of words) {
        const reason = misfit(lexicon, family, word, object.label, object.category);
        if (reason !== undefined) {
          planned.row.rejected.push({ what: `${family} ${word.word}`, reason });
          continue;
        }
        const kind = kindOf(word);
        const control = controlFor(lexicon, word);
        const text = templateCaption(lexicon, object.label, { word: word.word, kind });
        const againstText = templateCaption(lexicon, object.label, { word: control, kind });
        const againstAt = this.want(photo, againstText);
        const variant: PlannedVariant = {
          axis: 'societal',
          family,
          variant: word.word,
          text,
          againstText,
          scoreAt: this.want(photo, text),
          againstAt,
        };
        if (this.context.scores.includes('text-text')) {
          const phrase = kind === 'noun' ? word.word : `${word.word} ${nounOf(object.label)}`;
          variant.valenceAt = { word: this.project(word.word), phrase: this.project(phrase) };
        }
        planned.variants.push(variant);
        if (kind !== 'adjective' || controls.has(control)) continue;
        controls.add(control);
        planned.variants.push({
          axis: 'societal',
          family: 'neutral',
          variant: control,
          text: againstText,
          againstText: planned.row.text,
          scoreAt: againstAt,
          againstAt: planned.scoreAt!,
        });
      }
    }
  }

  /** Cosines of a text with the anchors of valence. The first call also requests the cosines among the anchors. */
  private project(text: string): number {
    const { wants, anchors } = this.made;
    if (this.made.anchorsAt === undefined) {
      this.made.anchorsAt = wants.length;
      wants.push(...anchorWants(anchors));
    }
    const at = wants.length;
    wants.push(...projectionWants(anchors, text));
    return at;
  }

  private transformed(
    photo: ImageItem,
    row: InvarianceRow,
    { family, variant, transform }: { family: string; variant: string; transform: RowTransform },
  ): ImageItem {
    const one: AuditVariant = {
      axis: 'spatial',
      family,
      variant,
      transform,
      against: 0,
      score: 0,
      delta: 0,
      change: null,
    };
    return { ...photo, transforms: [...photo.transforms, ...transformsOf(row, one)] };
  }

  /** Requests each pair once. */
  private want(left: ImageItem, text: string): number {
    const key = JSON.stringify([
      'path' in left.source ? left.source.path : left.source.name,
      left.transforms,
      text,
    ]);
    let at = this.wantAt.get(key);
    if (at === undefined) {
      at = this.made.wants.push({ left, right: { kind: 'text', text } }) - 1;
      this.wantAt.set(key, at);
    }
    return at;
  }
}
