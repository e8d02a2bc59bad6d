import type { Scale } from '../evaluator/evaluator';
import type { ImageTowerSpec } from '../evaluator/model/imageTower';
import type { TextTowerSpec } from '../evaluator/model/textTower';
import type { ImageSpec } from '../protocol/imageSpec';
import type { Activation } from '../evaluator/model/onnx/activation';
import type { TokenPooling } from '../evaluator/model/onnx/tokenPooling';
import type { TokenRules } from '../protocol/native';
import type { ReferenceRule } from './references';

/** In the order in which changes are applied. */
export const settings = [
  'shape',
  'filter',
  'resizing',
  'cropRounding',
  'constants',
  'channels',
  'exif',
  'alpha',
  'imageActivation',
  'imagePooling',
  'prefix',
  'whitespace',
  'punctuation',
  'case',
  'limit',
  'truncation',
  'padding',
  'specialTokens',
  'textActivation',
  'textPooling',
  'references',
  'normalisation',
  'precision',
  'scale',
  'rounding',
] as const;

/** How a score is computed from two embeddings. A scale is fitted to the scores of B. */
export type ScoreChange =
  | { kind: 'factor' | 'clipped' | 'affine' | 'sigmoid' | 'monotone' }
  | { kind: 'dot' }
  | { kind: 'half' }
  | { kind: 'round'; digits: number };

/** One setting of A with another value. */
export interface Change {
  setting: Setting;
  tower: Tower;
  from: string;
  to: string;
  image?: (spec: ImageSpec) => ImageSpec;
  rules?: (rules: TokenRules) => TokenRules;
  activation?: Activation;
  pooling?: TokenPooling;
  caption?: (text: string) => string;
  prefix?: string;
  references?: ReferenceRule;
  score?: ScoreChange;
}

export type Setting = (typeof settings)[number];

export interface Described {
  prefix: string;
  scale: Scale;
  /** Whether it is a metric with references, such as RefCLIPScore. */
  isReferenced: boolean;
  image: { graph: string; spec: ImageTowerSpec };
  text: { graph: string; spec: TextTowerSpec };
}

/** What a change affects. A change of one tower leaves the embeddings of the other as they are. */
export type Tower = 'image' | 'text' | 'score';
