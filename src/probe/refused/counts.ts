/* Counts the pairs that an evaluator gave no score, and tests whether that depends on the group of the image. */
import { valueIn } from '../../base/lists';
import { say } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { LongColumn } from '../../base/files/longColumn';
import { Clusters, Figure } from '../figure';
import { Difference } from '../inference/difference';
import type { Metric } from '../metric';
import type { Findings } from '../probe';
import type { Answers } from './answers';
import type { Lost } from './lost';

/** A column with more values names no groups. */
const mostGroups = 12;

/** The groups of one column: each example's group by its number from 1; 0 without a group. */
class Column {
  readonly names: string[] = [];
  private readonly groups = new LongColumn(Uint8Array);

  /** Examples before `count` without an entry have no group. */
  put(count: number, name: string): void {
    while (this.groups.length < count) this.groups.push(0);
    let at = this.names.indexOf(name);
    // One name above the limit is kept, because it shows that the column names no groups.
    if (at < 0 && this.names.length <= mostGroups) at = this.names.push(name) - 1;
    this.groups.push(at + 1);
  }

  of(examples: number): Uint8Array {
    const padded = new Uint8Array(examples);
    padded.set(this.groups.all());
    return padded;
  }
}

export class AnswerCounts {
  private readonly clusters = new Clusters();
  private readonly whole = new Figure();
  private readonly kinds = new Map<string, Figure>();
  private readonly columns = new Map<string, Column>();
  private readonly ofExample = {
    cluster: new LongColumn(Uint32Array),
    asked: new LongColumn(Uint32Array),
    refused: new LongColumn(Uint32Array),
  };
  private readonly lost = { variants: 0, captions: 0, partly: 0 };
  private readonly lostImages = new Set<string>();
  private readonly measuredImages = new Set<string>();
  private examples = 0;
  private unreadable = 0;

  add(answers: Answers): void {
    const { cluster: name, image = name, groups, kinds, lost, unreadable = 0 } = answers;
    const cluster = this.clusters.of(name);
    const total = { asked: 0, refused: 0 };
    for (const [kind, [pairs, without]] of Object.entries(kinds)) {
      const figure = valueIn(this.kinds, kind, () => new Figure());
      for (let i = 0; i < pairs; i++) {
        figure.add(i < without ? 1 : 0, cluster);
        this.whole.add(i < without ? 1 : 0, cluster);
      }
      total.asked += pairs;
      total.refused += without;
    }
    this.ofExample.cluster.push(cluster);
    this.ofExample.asked.push(total.asked);
    this.ofExample.refused.push(total.refused);
    for (const [column, group] of Object.entries(groups)) {
      const groupsOf = valueIn(this.columns, column, () => new Column());
      groupsOf.put(this.examples, group);
    }
    this.examples++;
    this.unreadable += unreadable;
    if (lost?.images === 1) this.lostImages.add(image);
    else this.measuredImages.add(image);
    if (lost === undefined || lost.images === 1) return;
    this.lost.variants += lost.variants;
    this.lost.captions += lost.captions;
    this.lost.partly++;
  }

  /** Counts an image as measured that no pair is about. */
  addMeasured(image: string): void {
    this.measuredImages.add(image);
  }

  /** What could not be measured; undefined if everything was. */
  lostParts(): Lost | undefined {
    const images = [...this.lostImages].filter((image) => !this.measuredImages.has(image)).length;
    const { variants, captions, partly } = this.lost;
    return this.lostImages.size + partly === 0 ? undefined : { variants, captions, images, partly };
  }

  /** The findings with the metrics of refusals. */
  *addTo(findings: Findings): Steps<Findings> {
    const lost = this.lostParts();
    if (this.whole.n === 0) return { ...findings, ...(lost && { lost }) };
    const warnings = [...findings.warnings];
    if (this.unreadable > 0) warnings.push(say('refused.imagesUnreadable', this.unreadable));
    return {
      ...findings,
      metrics: [...findings.metrics, ...(yield* this.metrics())],
      warnings,
      ...(lost && { lost }),
    };
  }

  private *metrics(): Steps<Metric[]> {
    const whole = yield* this.whole.metric('refused', { share: true });
    // A metric without an event has no chart.
    if (whole.value === 0) return [{ ...whole, moot: true, note: say('refused.allScored') }];
    return [
      whole,
      ...(yield* eachOf(
        sortedBy([...this.kinds], ([kind]) => kind),
        ([variant, figure]) => figure.metric('refused', { slice: { variant }, share: true }),
      )),
      ...(yield* allOf(
        sortedBy([...this.columns], ([column]) => column),
        ([column, groups]) => this.byGroup(column, groups),
      )),
    ];
  }

  /** The share of each group, and its difference from the other groups. Of two groups, one difference says all. */
  private *byGroup(column: string, groups: Column): Steps<Metric[]> {
    const names = [...groups.names].sort();
    if (names.length < 2 || names.length > mostGroups) return [];
    const numbers = groups.of(this.examples);
    const [cluster, asked, refused] = [
      this.ofExample.cluster.all(),
      this.ofExample.asked.all(),
      this.ofExample.refused.all(),
    ];
    return yield* allOf(names, function* (name, i): Steps<Metric[]> {
      const own = groups.names.indexOf(name) + 1;
      const share = new Figure();
      const difference = new Difference('events');
      for (const [at, number] of numbers.entries()) {
        if (number === 0) continue;
        for (let pair = 0; pair < asked[at]; pair++) {
          const value = pair < refused[at] ? 1 : 0;
          if (number === own) share.add(value, cluster[at]);
          difference.addTo(number === own ? 'first' : 'second', value, cluster[at]);
        }
      }
      const slice = { [column]: name };
      return [
        yield* share.metric('refused', { slice, share: true }),
        ...(names.length === 2 && i === 1 ? [] : yield* difference.metrics('refused.difference', slice)),
      ];
    });
  }
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
