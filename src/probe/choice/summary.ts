import { valueIn } from '../../base/lists';
import { say, together } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { largest, smallest } from '../../base/extent';
import type { Scale } from '../../evaluator/evaluator';
import { BesideBlind } from '../benchmark/beside/besideBlind';
import { Clusters, Figure } from '../figure';
import { clusterOf, type Metric } from '../metric';
import type { Findings, OptionValue, Summary } from '../probe';
import { chancesOf, type Chances } from './chance';
import { type Leads, leadsOf } from './decide';
import type { ChoiceRow } from './row';
import { Rate } from './rate';
import { Combined, Slices } from './slices';

interface Group {
  /** The cluster of the group's first example. */
  cluster: number;
  isRight: boolean;
  members: number;
  chance: number | undefined;
}

const names = ['accuracy', 'text', 'image', 'imageAccuracy', 'group', 'match', 'itt', 'tot'] as const;
type Name = (typeof names)[number];
/** Metrics that also have a macro average over the values of the benchmark's tag. */
const averaged: readonly Name[] = ['accuracy', 'text', 'image', 'group'];

export class ChoiceSummary implements Summary<ChoiceRow> {
  private readonly clusters = new Clusters();
  private readonly rates = new Map<Name, Rate>();
  private readonly pairwise = new Figure();
  private readonly fitting = { right: new Figure(), wrong: new Figure() };
  private readonly groups = new Map<string, Map<string, Group>>();
  private readonly kept = new Set<string>();
  private readonly slices = new Slices(this.kept);
  private readonly combined = new Combined();
  private by: ChoiceRow['by'];
  private rows = 0;
  private readonly beside: BesideBlind;
  /** The numbers of rows with one image, with several, and of triplets. */
  private readonly shapes = { one: 0, several: 0, triplets: 0 };
  private readonly threshold: number | undefined;

  constructor({
    options,
    scale,
    seed = 0,
  }: {
    options: Readonly<Record<string, OptionValue>>;
    scale?: Scale;
    seed?: number;
  }) {
    this.beside = new BesideBlind(seed);
    this.threshold = thresholdOf(String(options.threshold), scale);
  }

  add(row: ChoiceRow): void {
    this.rows++;
    if (row.by !== undefined) {
      this.by = row.by;
      this.kept.add(row.by.tag);
    }
    const cluster = this.clusters.of(clusterOf(row));
    if (row.texts !== undefined) {
      const [same, ...others] = row.texts;
      this.compare(row, 'tot', same - largest(others), cluster, 1 / 3);
    }
    if (row.images.length === 0) return;
    const leads = row.decisions === undefined ? leadsOf(row) : decidedLeads(row.decisions);
    const chances = chancesOf(row.images.length, row.rightOf);
    const each = (name: 'accuracy' | 'imageAccuracy', list: readonly (number | undefined)[]) => {
      for (const [at, lead] of list.entries()) {
        this.compare(row, name, lead, cluster, chances[name]);
        this.compareSide(row, name, at, lead, cluster, chances[name]);
      }
    };
    each('accuracy', leads.captions);
    each('imageAccuracy', leads.images);
    // For an image with two right captions and a wrong caption, this is SugarCrepe++'s ITT.
    if (row.texts !== undefined || isTriplet(row))
      this.compare(row, 'itt', leads.text, cluster, chances.text);
    else if (row.images.length > 1 || row.rightOf.filter((own) => own === 0).length > 1)
      this.compare(row, 'text', leads.text, cluster, chances.text);
    if (row.rightOf.filter((own) => own >= 0).length > 1)
      this.compare(row, 'image', leads.image, cluster, chances.image);
    this.compare(row, 'group', leads.group, cluster, chances.group);
    this.compare(row, 'match', leads.match, cluster, chances.match);
    for (const lead of leads.pairs) this.pairwise.compare(lead, 0, cluster);
    this.fits(row, cluster);
    this.decide(row);
    this.join(row, leads.group ?? leads.text, chances, cluster);
  }

  /** Models without the image are right about one of two images with the same captions, so these need no comparison. */
  private decide(row: ChoiceRow): void {
    if (row.images.length > 1) this.shapes.several++;
    else {
      this.shapes.one++;
      if (isTriplet(row)) this.shapes.triplets++;
      this.beside.add(
        row,
        row.captions,
        row.rightOf.map((own) => own === 0),
        row.scores[0],
      );
    }
  }

  private *besideMetrics(): Steps<Metric[]> {
    const { one, several, triplets } = this.shapes;
    if (several > 0) return [];
    return triplets > 0 && triplets === one
      ? yield* this.beside.metrics('choice.itt', 'every')
      : yield* this.beside.metrics('choice.accuracy', 'best');
  }

  private compare(
    row: ChoiceRow,
    name: Name,
    lead: number | undefined,
    cluster: number,
    chance?: number,
  ): void {
    if (lead === undefined) return;
    const rate = valueIn(this.rates, name, () => new Rate());
    rate.compare(lead, cluster, chance);
    this.slices.compare(row.tags, name, lead, cluster, chance);
    const [tag, within] = [row.by?.tag ?? '', row.by?.within ?? ''];
    const [kind, part] = [row.tags?.[tag], row.tags?.[within]];
    if (kind !== undefined && part !== undefined)
      this.combined.compare({ [tag]: kind, [within]: part }, name, lead, cluster, chance);
  }

  /** For BiVLC, also counts the comparison in slices: by side (positive or negative), and by kind and side. */
  private compareSide(
    { sides, by, tags }: ChoiceRow,
    name: 'accuracy' | 'imageAccuracy',
    at: number,
    lead: number | undefined,
    cluster: number,
    chance?: number,
  ): void {
    if (sides === undefined || at >= sides.length || lead === undefined) return;
    const side = { [name === 'accuracy' ? 'image' : 'caption']: sides[at] };
    this.combined.compare(side, name, lead, cluster, chance);
    const kind = by && tags?.[by.tag];
    if (by !== undefined && kind !== undefined)
      this.combined.compare({ [by.tag]: kind, ...side }, name, lead, cluster, chance);
  }

  /** Counts right captions above the threshold (VALSE's p_c), and wrong ones not above it (p_f). */
  private fits({ scores, rightOf }: ChoiceRow, cluster: number): void {
    const { threshold } = this;
    if (threshold === undefined) return;
    scores.forEach((row, i) => {
      row.forEach((score, c) => {
        if (rightOf[c] === i) this.fitting.right.add(score > threshold ? 1 : 0, cluster);
        else this.fitting.wrong.add(score > threshold ? 0 : 1, cluster);
      });
    });
  }

  private join(
    { groups }: ChoiceRow,
    lead: number | undefined,
    chances: Partial<Chances>,
    cluster: number,
  ): void {
    if (lead === undefined) return;
    for (const [name, id] of Object.entries(groups ?? {})) {
      const named = valueIn(this.groups, name, () => new Map());
      const group = named.get(id) ?? { isRight: true, members: 0, chance: 1, cluster };
      const chance = chances.group ?? chances.text;
      named.set(id, {
        cluster: group.cluster,
        isRight: group.isRight && lead > 0,
        members: group.members + 1,
        chance: group.chance === undefined || chance === undefined ? undefined : group.chance * chance,
      });
    }
  }

  soFar(): Metric[] {
    return [...this.rates].map(([name, { figure }]) => figure.soFar(`choice.${name}`, { rate: true }));
  }

  *finish(): Steps<Findings> {
    const made = names.filter((name) => this.rates.has(name));
    return {
      metrics: [
        ...(yield* eachOf(made, (name) => this.rates.get(name)!.metric(`choice.${name}`))),
        ...(this.pairwise.n === 0
          ? []
          : [{ ...(yield* this.pairwise.metric('choice.pairwise', { rate: true })), chance: 0.5 }]),
        ...(yield* this.besideMetrics()),
        ...(yield* this.fittingMetrics()),
        ...(yield* this.groupMetrics()),
        ...(yield* allOf(made, (name) => this.macro(name))),
        ...(yield* allOf(made, (name) => this.slices.metrics(`choice.${name}`, name, this.rows))),
        ...(yield* allOf(made, (name) => this.combined.metrics(`choice.${name}`, name))),
      ],
      warnings: [],
    };
  }

  private *fittingMetrics(): Steps<Metric[]> {
    const { right, wrong } = this.fitting;
    if (right.n === 0 || wrong.n === 0) return [];
    const pc = yield* right.metric('choice.pc', { share: true });
    const pf = yield* wrong.metric('choice.pf', { share: true });
    const both = [pc.value ?? 0, pf.value ?? 0];
    const note = say('choice.derivedWithoutInterval');
    return [
      pc,
      pf,
      { id: 'choice.min', value: smallest(both), n: right.n, note },
      { id: 'choice.acc', value: (both[0] + both[1]) / 2, n: right.n, chance: 0.5, note },
    ];
  }

  private *groupMetrics(): Steps<Metric[]> {
    return yield* eachOf(this.groups, function* ([name, groups]): Steps<Metric> {
      const figure = new Figure();
      let chance: number | undefined = 0;
      for (const group of groups.values()) {
        figure.add(group.isRight ? 1 : 0, group.cluster);
        chance = chance === undefined || group.chance === undefined ? undefined : chance + group.chance;
      }
      const metric = yield* figure.metric(`choice.${name}`, { share: true });
      return chance === undefined ? metric : { ...metric, chance: chance / figure.n };
    });
  }

  /** The macro average: the mean of a metric over a tag's values with equal weights. */
  private *macro(name: Name): Steps<Metric[]> {
    const { by } = this;
    if (by === undefined || !averaged.includes(name)) return [];
    const kinds = this.slices.rates(by.tag, name).filter(({ figure }) => figure.n >= (by.atLeast ?? 1));
    if (kinds.length < 2) return [];
    const all = kinds.reduce((sum, { figure }) => sum + figure.n, 0);
    const figure = new Figure();
    let chance: number | undefined = 0;
    for (const kind of kinds) {
      figure.addScaled(kind.figure, all / (kinds.length * kind.figure.n));
      chance = chance === undefined || kind.chance === undefined ? undefined : chance + kind.chance;
    }
    const metric = yield* figure.metric(`choice.${name}.macro`);
    return [
      {
        ...metric,
        ...(chance === undefined ? {} : { chance: chance / kinds.length }),
        note: together(say('choice.meanOverTags', kinds.length, by.tag), metric.note),
      },
    ];
  }
}

/** Turns decisions into leads of 1 or -1, because actual leads are unknown. */
function decidedLeads({ text, image }: NonNullable<ChoiceRow['decisions']>): Leads {
  const [captions, images] = [text, image].map((list) => list.map((isRight) => (isRight ? 1 : -1)));
  const [byText, byImage] = [smallest(captions), smallest(images)];
  return {
    captions,
    images,
    text: byText,
    image: byImage,
    group: Math.min(byText, byImage),
    pairs: captions,
  };
}

/** Whether the row has two right captions, a wrong caption, and at most one image. */
export function isTriplet({ rightOf, images }: Pick<ChoiceRow, 'rightOf' | 'images'>): boolean {
  return images.length <= 1 && rightOf.length === 3 && rightOf.filter((own) => own === 0).length === 2;
}

/** A caption above this score counts as right. Undefined without the option and without probabilities. */
function thresholdOf(given: string, scale: Scale | undefined): number | undefined {
  if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  if (scale?.name === 'sigmoid') return 0.5;
  return scale?.name === 'own' && scale.low === 0 && scale.high === 1 ? 0.5 : undefined;
}
