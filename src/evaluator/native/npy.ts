import { Reason } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { say } from '../../base/say';
import { parseNpy } from '../embeddings/numpy';
import { floatsOf } from '../half';

/** The largest file in bytes, enough for the features of a hundred thousand regions. */
const most = 1 << 30;

/** Reads a matrix in NumPy's format. Error messages call the file "it", because callers add its name. */
export function readNpy(path: string): { rows: number; columns: number; values: Float32Array } {
  const bytes = readBoundedSync(path, most);
  const { shape, type, fortran, data } = parseNpy(bytes);
  if (shape.length !== 2) throw new Reason(say('native.npyAxesNotTwo', shape.length));
  if (fortran) throw new Reason(say('native.npyColumnOrder'));
  const size = { '<f2': 2, '<f4': 4, '<f8': 8 }[type];
  if (size === undefined) throw new Reason(say('native.npyTypeNotFloat', type));
  const [rows, columns] = shape;
  if (data.length !== rows * columns * size) throw new Reason(say('native.npyLengthMismatch'));
  // The bytes are copied, because a typed array must start at a multiple of its element size.
  const { buffer } = new Uint8Array(data);
  if (size === 2) return { rows, columns, values: floatsOf(new Uint16Array(buffer)) };
  const values = size === 4 ? new Float32Array(buffer) : Float32Array.from(new Float64Array(buffer));
  return { rows, columns, values };
}
