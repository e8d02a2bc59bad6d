/** Draws a sample of a PRSM report's wordings, and estimates how many keep the meaning of their captions. */
import { clusterOf } from '../../probe/metric';
import type { QueryRow } from '../../probe/prsm/row';
import { comparisons, setNames, type SetName } from '../../probe/prsm/wordings';
import { type Candidate, drawFrom, type Drawn, type SampleOptions } from '../draw';
import { type ValidShare, validShares } from '../lgip/correct';
import type { LgipVerdict } from '../lgip/merge';
import { type Placed, stratumName } from '../strata';

/** The wordings of a query that were made from its caption, each with its set. */
export function madeWordings({
  caption,
  wordings,
}: QueryRow): { set: SetName; label: string; text: string }[] {
  return wordings.flatMap(({ label, text }) => {
    const set = setNames.find((name) => comparisons[name].at(-1)!.split('-').includes(label));
    return set === undefined || text === caption ? [] : [{ set, label, text }];
  });
}

function idOf({ example, caption }: QueryRow, label: string): string {
  return JSON.stringify([example, caption, label]);
}

export class PrsmWordings {
  private readonly candidates: Candidate[] = [];

  constructor(private readonly options: SampleOptions) {}

  add(row: QueryRow): void {
    const { image, caption } = row;
    if (image === undefined) return;
    for (const { set, label, text } of madeWordings(row))
      this.candidates.push({
        family: set,
        stratum: stratumName([set, label]),
        image,
        item: () => ({
          id: idOf(row, label),
          axis: 'language',
          family: set,
          variant: label,
          original: { image, transforms: [], text: caption },
          changed: { image, transforms: [], text },
        }),
      });
  }

  draw(): Drawn {
    return drawFrom(this.candidates, this.options);
  }
}

export class PrsmCheck {
  private readonly units: (Placed & { cluster: string; score: number })[] = [];
  private readonly labels: ReadonlyMap<string, number>;
  /** The texts that people rejected, for removal from the dataset. */
  readonly rejected: string[] = [];

  constructor(verdicts: readonly LgipVerdict[]) {
    this.labels = new Map(verdicts.map(({ id, valid }) => [id, valid ? 1 : 0]));
  }

  add(row: QueryRow): void {
    for (const { set, label, text } of madeWordings(row)) {
      const judged = this.labels.get(idOf(row, label));
      if (judged === 0) this.rejected.push(text);
      this.units.push({
        path: [set, label],
        cluster: clusterOf(row),
        // A wording has no score of its own, so the estimate is that of the labels.
        score: 0,
        ...(judged === undefined ? {} : { label: judged }),
      });
    }
  }

  finish(): { valid: ValidShare[]; leftOut: string[] } {
    return validShares(this.units);
  }
}
