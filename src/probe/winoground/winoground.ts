import type { TextItem } from '../../protocol/item';
import { rateClaim } from '../claim';
import { Clusters, Figure } from '../figure';
import type { PairProbe, Plan } from '../probe';
import type { WinogroundRow } from './row';
import { winogroundView } from './view';

export const winoground: PairProbe<Plan, WinogroundRow> = {
  ...winogroundView,
  options: [],

  claims: (metrics) => [
    // Chance level: 1/4 for two comparisons that must both be right, 1/6 for all four.
    ...rateClaim(metrics, 'winoground.group', 1 / 6, {
      above: 'It matches two captions with two images more often than chance.',
      across: 'It matches two captions with two images at chance level.',
      below: 'It matches two captions with two images less often than chance.',
    }),
    ...rateClaim(metrics, 'winoground.text', 1 / 4, {
      above: 'Given the image, word order counts.',
      across: 'Given the image, there is no evidence that word order counts.',
      below: 'Given the image, it prefers the wrong word order.',
    }),
  ],

  refuse(example, { scores, image }) {
    if (example.form !== 'crossed') return 'it is not two images with one caption each';
    if (!scores.includes('image-text')) return 'the evaluator does not score images with captions';
    if (image(0) === undefined || image(1) === undefined) return 'one of its images was not found';
    return undefined;
  },

  plan(example, { image }) {
    const [first, second] = [0, 1].map((i): TextItem => ({
      kind: 'text',
      text: captionOf(example.captions, i),
    }));
    const [left, right] = [image(0)!, image(1)!];
    return {
      wants: [
        { left, right: first },
        { left, right: second },
        { left: right, right: first },
        { left: right, right: second },
      ],
    };
  },

  measure(example, _plan, [c0i0, c1i0, c0i1, c1i1]) {
    const text = c0i0 > c1i0 && c1i1 > c0i1;
    const photo = c0i0 > c0i1 && c1i1 > c1i0;
    return [
      {
        example: example.id,
        row: example.row,
        place: example.place,
        image: example.images[0].name,
        captions: [captionOf(example.captions, 0), captionOf(example.captions, 1)],
        photos: [example.images[0].name, example.images[1].name],
        c0i0,
        c1i0,
        c0i1,
        c1i1,
        text,
        photo,
        group: text && photo,
      },
    ];
  },

  faults({ captions, c0i0, c1i0, c0i1, c1i1 }) {
    const comparisons: [string, number, number][] = [
      [`The first image prefers "${captions[1]}", the caption of the other image`, c0i0, c1i0],
      [`The second image prefers "${captions[0]}", the caption of the other image`, c1i1, c0i1],
      [`"${captions[0]}" prefers the second image`, c0i0, c0i1],
      [`"${captions[1]}" prefers the first image`, c1i1, c1i0],
    ];
    return comparisons
      .filter(([, own, other]) => !(own > other))
      .map(([what, own, other]) => ({
        message: `${what}: ${other.toFixed(4)} instead of ${own.toFixed(4)}${own === other ? ', a tie' : ''}.`,
        size: other - own,
      }))
      .sort((a, b) => b.size - a.size);
  },

  shares: ({ text, photo, group }) => [
    { metric: 'winoground.text', value: text ? 1 : 0, better: 'higher' },
    { metric: 'winoground.image', value: photo ? 1 : 0, better: 'higher' },
    { metric: 'winoground.group', value: group ? 1 : 0, better: 'higher' },
  ],

  summary() {
    const clusters = new Clusters();
    const [text, photo, group] = [new Figure(), new Figure(), new Figure()];
    return {
      add({ example, c0i0, c1i0, c0i1, c1i1 }) {
        const cluster = clusters.of(example);
        const byText = Math.min(c0i0 - c1i0, c1i1 - c0i1);
        const byPhoto = Math.min(c0i0 - c0i1, c1i1 - c1i0);
        text.compare(byText, 0, cluster);
        photo.compare(byPhoto, 0, cluster);
        group.compare(Math.min(byText, byPhoto), 0, cluster);
      },
      soFar: () => [
        text.soFar('winoground.text', { rate: true }),
        photo.soFar('winoground.image', { rate: true }),
        group.soFar('winoground.group', { rate: true }),
      ],
      finish: () => ({
        metrics: [
          text.metric('winoground.text', { rate: true }),
          photo.metric('winoground.image', { rate: true }),
          group.metric('winoground.group', { rate: true }),
        ],
        warnings: [],
      }),
    };
  },
};

function captionOf(captions: readonly { text: string; image: number }[], image: number): string {
  return captions.find((caption) => caption.image === image)!.text;
}
