import { say } from '../../../base/say';
import { append } from '../../../base/lists';
import { Random } from '../../../base/random';
import { type Caption, drawKey, type Example } from '../../../dataset/example';
import type { ImageItem } from '../../../protocol/item';
import { maskOf } from '../../../perturb/image/mask';
import { controlBefore, kindOf, nounOf, templateCaption } from '../../../perturb/society/caption';
import type { Lexicon, LexiconWord } from '../../../perturb/society/lexicon';
import { refusalOf, rulesApply } from '../../../perturb/text/fileLanguage';
import { rewrites } from '../../../perturb/society/natural';
import { misfit } from '../../../perturb/society/screen';
import type { Steps } from '../../../base/turns/steps';
import type { Plan, PlanContext } from '../../probe';
import { baselineOf } from './baseline';
import { type Beside, besideOf, objectsOf, scoresOwnCaptions } from './beside';
import { binOf, dominantOf, type Dominant, staysWhole } from '../objects';
import { type InvarianceOptions, invarianceOptionsFrom } from '../options';
import type { InvarianceRow, InvarianceVariant, RowTransform } from '../row';
import { transformsOf } from '../row';
import { movesOf } from './moves';
import { Wants } from './wants';

type PlannedVariant = Omit<
  InvarianceVariant,
  'score' | 'against' | 'delta' | 'change' | 'seams' | 'valence'
> & {
  /** The index of the score in `wants`. */
  scoreAt: number;
  /** The index in `wants` of the score that this score is compared with. */
  againstAt: number;
  /** For a moved object: the index of the changed image in `moved`. */
  movedAt?: number;
  /** Indexes in `wants` of the first cosine with the valence anchors, for the word and for the phrase. */
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
  /** The index in `wants` of the first cosine between two anchors. */
  anchorsAt?: number;
  anchors: Lexicon['valence'];
}

export function planExample(example: Example, context: PlanContext): Steps<InvariancePlan> {
  return new Planner(example, context).plan();
}

class Planner {
  private readonly options: InvarianceOptions;
  private readonly beside: Beside;
  private readonly wants: Wants;
  private readonly rows: PlannedRow[] = [];
  private readonly moved: ImageItem[] = [];

  constructor(
    private readonly example: Example,
    private readonly context: PlanContext,
  ) {
    this.options = invarianceOptionsFrom(context.options);
    this.beside = besideOf(context);
    this.wants = new Wants(this.beside.lexicon.valence);
  }

  *plan(): Steps<InvariancePlan> {
    const { example, options, beside } = this;
    const { object, rejected } = dominantOf(objectsOf(example, this.context));
    if (beside.instances !== undefined && options.captions !== 'dataset') {
      const planned = this.templateRow(object);
      append(planned.row.rejected, rejected);
    }
    for (const [index, caption] of example.captions.entries()) {
      if (caption.role !== 'caption' || caption.text.trim() === '') continue;
      this.captionRow(index, caption, object);
      yield;
    }
    const { wants, moved, rows } = this;
    const refusal = refusalOf(this.context.language);
    if (refusal !== undefined && options.societal)
      rows.at(0)?.row.rejected.push({ what: 'words in captions of the dataset', reason: refusal });
    return { wants: wants.list, moved, rows, anchorsAt: wants.anchorsAt, anchors: wants.anchors };
  }

  private templateRow(object: Dominant | undefined): PlannedRow {
    const { lexicon } = this.beside;
    const text = object === undefined ? '' : templateCaption(lexicon, object.label);
    const planned = this.startRow('template', text, 0, object);
    const image = this.context.image(0);
    if (object === undefined || image === undefined) return planned;
    planned.scoreAt = this.wants.pair(image, text);
    if (this.options.spatial) this.spatial(planned, image, object);
    if (this.options.societal && object.slice === 'single') this.societal(planned, image, object);
    return planned;
  }

  private captionRow(index: number, caption: Caption, object: Dominant | undefined): void {
    const text = caption.text.trim();
    const own = scoresOwnCaptions(this.options, this.beside);
    const found =
      this.options.societal && rulesApply(text, this.context.language)
        ? rewrites(this.beside.lexicon, text)
        : [];
    if (!own && found.length === 0) return;
    const image = this.context.image(caption.image);
    if (image === undefined) return;
    const ofObject = caption.image === 0 ? object : undefined;
    const planned = this.startRow('dataset', text, caption.image, ofObject);
    Object.assign(planned.row, { caption: index, field: caption.field });
    if (caption.place !== undefined) planned.row.captionPlace = caption.place;
    planned.scoreAt = this.wants.pair(image, text);
    if (own && this.options.spatial) this.spatial(planned, image, ofObject);
    for (const { family, word, neutral, swapped } of found) {
      const shared = { axis: 'societal', family, variant: word.word } as const;
      planned.variants.push({
        ...shared,
        natural: 'neutralised',
        text,
        againstText: neutral,
        scoreAt: planned.scoreAt,
        againstAt: this.wants.pair(image, neutral, text),
      });
      if (swapped !== undefined)
        planned.variants.push({
          ...shared,
          natural: 'swapped',
          text: swapped,
          againstText: text,
          scoreAt: this.wants.pair(image, swapped, text),
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
    this.rows.push(planned);
    return planned;
  }

  private spatial(planned: PlannedRow, image: ImageItem, object: Dominant | undefined): void {
    const { rejected } = planned.row;
    const before = rejected.length;
    const add = (family: string, variant: string, transform: RowTransform, described?: string): void => {
      const row = { ...planned.row, score: null, variants: [] };
      const changed = this.transformed(image, row, { family, variant, transform });
      const variantPlan: PlannedVariant = {
        axis: 'spatial',
        family,
        variant,
        transform,
        ...(described === undefined ? {} : { text: described, againstText: described }),
        scoreAt: this.wants.pair(changed, described ?? planned.row.text),
        againstAt: described === undefined ? planned.scoreAt! : this.wants.pair(image, described),
      };
      if (transform.op === 'move') variantPlan.movedAt = this.moved.push(changed) - 1;
      planned.variants.push(variantPlan);
    };
    const firstVariant = planned.variants.length;
    const firstMoved = this.moved.length;
    add('vflip', '', { op: 'vflip' });
    add('hflip', '', { op: 'hflip' });
    for (const degrees of [-10, -5, 5, 10]) {
      const name = degrees > 0 ? `+${degrees}` : String(degrees);
      if (object !== undefined && !this.fits(object, degrees))
        rejected.push({ what: `rotation ${name}`, reason: say('invariance.rotationCutsObject') });
      else add('rotation', name, { op: 'rotate', degrees });
    }
    for (const sigma of [1, 2]) add('blur', String(sigma), { op: 'blur', sigma });
    if (object !== undefined) {
      const moves = movesOf(planned.row, object, this.options, (anchor) =>
        this.random(`reposition ${anchor}`),
      );
      for (const { anchor, transform, described } of moves) add('reposition', anchor, transform, described);
    }
    if (this.options.fit === 'all' && rejected.length > before) {
      planned.variants.length = firstVariant;
      this.moved.length = firstMoved;
      rejected.push({ what: 'every transform', reason: say('invariance.fitExcludesAll') });
    }
  }

  private fits(object: Dominant, degrees: number): boolean {
    const known = objectsOf(this.example, this.context);
    return known === undefined || staysWhole(object, known.width, known.height, degrees);
  }

  private societal(planned: PlannedRow, image: ImageItem, object: Dominant): void {
    const { lexicon } = this.beside;
    const fitting: { family: string; word: LexiconWord }[] = [];
    for (const [family, { words }] of Object.entries(lexicon.families))
      for (const word of words) {
        const reason = misfit(lexicon, family, word, object.label, object.category);
        if (reason === undefined) fitting.push({ family, word });
        else planned.row.rejected.push({ what: `${family} ${word.word}`, reason });
      }
    const neutralOf = baselineOf(lexicon, nounOf(object.label), fitting, (slot) =>
      this.random(`neutral ${slot}`),
    );
    const controls = new Set<string>();
    for (const fit of fitting) {
      const { family, word } = fit;
      const kind = kindOf(word);
      const control = neutralOf(fit);
      const text = templateCaption(lexicon, object.label, { word: word.word, kind });
      const againstText = templateCaption(lexicon, object.label, { word: control, kind });
      const againstAt = this.wants.pair(image, againstText);
      const variant: PlannedVariant = {
        axis: 'societal',
        family,
        variant: word.word,
        text,
        againstText,
        scoreAt: this.wants.pair(image, text),
        againstAt,
      };
      if (this.context.scores.includes('text-text')) {
        const phrase = kind === 'noun' ? word.word : `${word.word} ${nounOf(object.label)}`;
        variant.valenceAt = { word: this.wants.project(word.word), phrase: this.wants.project(phrase) };
      }
      planned.variants.push(variant);
      const neutral = controlBefore(lexicon, word, nounOf(object.label));
      if (kind !== 'adjective' || controls.has(neutral)) continue;
      controls.add(neutral);
      const neutralText = templateCaption(lexicon, object.label, { word: neutral, kind });
      planned.variants.push({
        axis: 'societal',
        family: 'neutral',
        variant: neutral,
        text: neutralText,
        againstText: planned.row.text,
        scoreAt: this.wants.pair(image, neutralText),
        againstAt: planned.scoreAt!,
      });
    }
  }

  /** Objects are those of the first image, so their random choices depend on no caption. */
  private random(purpose: string): Random {
    return new Random(this.context.seed, ...drawKey(this.example), purpose);
  }

  private transformed(
    image: ImageItem,
    row: InvarianceRow,
    { family, variant, transform }: { family: string; variant: string; transform: RowTransform },
  ): ImageItem {
    const one: InvarianceVariant = {
      axis: 'spatial',
      family,
      variant,
      transform,
      against: 0,
      score: 0,
      delta: 0,
      change: null,
    };
    return { ...image, transforms: [...image.transforms, ...transformsOf(row, one)] };
  }
}
