import { readBoundedSync } from '../../base/files/readFile';
import { floatsOf } from '../half';

/** Features of a hundred thousand regions. */
const most = 1 << 30;

/** A table of numbers as NumPy saves it. Throws in words where the file is another thing. */
export function readNpy(path: string): { rows: number; columns: number; values: Float32Array } {
  const bytes = readBoundedSync(path, most);
  if (bytes.length < 12 || bytes.toString('latin1', 0, 6) !== '\x93NUMPY')
    throw new Error('it is no .npy file');
  const wide = bytes[6] >= 2;
  const from = wide ? 12 : 10;
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', from, from + length);
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1].match(/\d+/g)?.map(Number);
  if (type === undefined || shape === undefined) throw new Error('its header cannot be read');
  if (shape.length !== 2)
    throw new Error(`it has ${shape.length} axes where two were expected, regions and numbers`);
  if (/'fortran_order':\s*True/.test(header))
    throw new Error('it is stored column by column: save it in C order');
  const size = { '<f2': 2, '<f4': 4, '<f8': 8 }[type];
  if (size === undefined)
    throw new Error(`its numbers are of the type ${type}, not float32, float16 or float64`);
  const [rows, columns] = shape;
  const data = bytes.subarray(from + length);
  if (data.length !== rows * columns * size) throw new Error('it breaks off');
  // A copy begins where a typed array may begin.
  const { buffer } = new Uint8Array(data);
  if (size === 2) return { rows, columns, values: floatsOf(new Uint16Array(buffer)) };
  const values = size === 4 ? new Float32Array(buffer) : Float32Array.from(new Float64Array(buffer));
  return { rows, columns, values };
}
