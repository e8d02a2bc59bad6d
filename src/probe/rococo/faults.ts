import { append } from '../../base/lists';
import { say } from '../../base/say';
import type { Fault, Share } from '../probe';
import type { Row } from '../metric';
import { mayStayTrue } from './kept';
import type { CaptionRow, ImageRow, RococoRow } from './row';

export function rococoFaults(row: Row): Fault[] {
  const found = row as RococoRow;
  return (found.kind === 'image' ? imageFaults(found) : captionFaults(found)).sort((a, b) => b.size - a.size);
}

function imageFaults({ lists, score, caption }: ImageRow): Fault[] {
  return lists.flatMap(({ first }) => {
    const rival = first.find(({ kind }) => kind === 'altered');
    if (rival === undefined || rival.score < score) return [];
    const message = say(
      'rococo.alteredCaptionWins',
      rival.score.toFixed(4),
      rival.text,
      score.toFixed(4),
      caption,
    );
    return [{ message, size: rival.score - score }];
  });
}

function captionFaults({ caption, altered, nearest, search }: CaptionRow): Fault[] {
  const faults: Fault[] = [];
  for (const { text, similarity } of altered) {
    if (similarity === undefined || nearest === undefined || similarity < nearest.similarity) continue;
    faults.push({
      message: say(
        'rococo.alteredCaptionCloser',
        text,
        caption,
        similarity.toFixed(4),
        nearest.text,
        nearest.similarity.toFixed(4),
      ),
      size: similarity - nearest.similarity,
    });
  }
  for (const { images: imageKind, rival } of search?.hits ?? []) {
    if (rival < search!.score || mayStayTrue(imageKind)) continue;
    faults.push({
      message: say('rococo.alteredImageWins', caption, rival.toFixed(4), imageKind, search!.score.toFixed(4)),
      size: rival - search!.score,
    });
  }
  return faults;
}

/** A row's part in metrics without a slice, by the first source of captions and first kind of images. */
export function rococoShares(row: Row): Share[] {
  const found = row as RococoRow;
  if (found.kind === 'image') {
    const list = found.lists.at(0);
    return [
      ...rates('rococo.i2t', found.clean),
      ...(list === undefined ? [] : stressedRates('rococo.i2t', list.stressed, list.rsms)),
    ];
  }
  const shares: Share[] = [];
  const first = found.altered.at(0);
  if (first?.similarity !== undefined && found.nearest !== undefined) {
    const value = first.similarity > found.nearest.similarity ? 1 : 0;
    shares.push({ metric: 'rococo.text.closer', value, better: 'lower' });
  }
  if (found.search !== undefined) {
    append(shares, rates('rococo.t2i', found.search.clean));
    const hit = found.search.hits.at(0);
    if (hit !== undefined) append(shares, stressedRates('rococo.t2i', hit.stressed, hit.rsms));
  }
  return shares;
}

function rates(id: string, hits: Record<string, number>): Share[] {
  return Object.entries(hits).map(([depth, value]) => ({
    metric: `${id}.${depth}`,
    value,
    better: 'higher',
  }));
}

function stressedRates(id: string, hits: Record<string, number>, rsms: number): Share[] {
  return [...rates(`${id}.stressed`, hits), { metric: `${id}.rsms`, value: rsms, better: 'lower' }];
}
