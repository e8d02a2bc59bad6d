/** Reads tensor names and shapes from a pickle of torch.save or torch.jit.save without running its code. */
import { append } from '../../base/lists';

/** The shapes of tensors by name, such as `visual.conv1.weight`. */
export type Shapes = Map<string, readonly number[]>;

class Tensor {
  constructor(readonly shape: readonly number[]) {}
}

/** An unpickled object or class. Only the class name and the attributes are read. */
class Thing {
  state: Dict = new Map();
  constructor(readonly type: string) {}
}

type Dict = Map<string, Value>;
type Value = string | number | boolean | null | Value[] | Dict | Tensor | Thing;

const mark = Symbol('mark');
const deepest = 64;
/** A limit against malicious files. Real models have far fewer tensors. */
const mostTensors = 100_000;
const mostSides = 16;

/** The shapes of a model's tensors in a pickle. Throws for opcodes that this reader does not know. */
export function shapesIn(pickle: Buffer): Shapes {
  const root = new Reader(pickle).read();
  const whole = root instanceof Map ? root : root instanceof Thing ? root.state : undefined;
  if (whole === undefined) throw new Error('it has no named tensors');
  const inner = whole.get('state_dict');
  const shapes: Shapes = new Map();
  collect(inner instanceof Map ? inner : whole, '', shapes);
  // PyTorch's DataParallel adds the prefix `module.` to every name.
  const isWrapped = shapes.size > 0 && [...shapes.keys()].every((name) => name.startsWith('module.'));
  return isWrapped ? new Map([...shapes].map(([name, shape]) => [name.slice(7), shape])) : shapes;
}

function collect(held: Dict, prefix: string, into: Shapes, depth = 0, tally = { visited: 0 }): void {
  if (depth > deepest) throw new Error('it is nested too deeply');
  for (const [key, value] of held) {
    if (++tally.visited > mostTensors) throw new Error('it contains too many tensors');
    if (value instanceof Tensor) into.set(prefix + key, value.shape);
    else if (value instanceof Thing) collect(value.state, `${prefix}${key}.`, into, depth + 1, tally);
  }
}

class Reader {
  private at = 0;
  private readonly stack: (Value | typeof mark)[] = [];
  private readonly memo = new Map<number, Value>();

  constructor(private readonly bytes: Buffer) {}

  read(): Value {
    for (;;) {
      const code = String.fromCharCode(this.bytes.readUInt8(this.at++));
      if (code === '.') return this.pop();
      const push = pushes[code];
      if (push !== undefined) this.stack.push(push(this));
      else this.act(code);
    }
  }

  number(bytes: 1 | 2 | 4): number {
    const value = this.bytes.readUIntLE(this.at, bytes);
    this.at += bytes;
    return value;
  }

  take(length: number): Buffer {
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new RangeError('it is truncated');
    return this.bytes.subarray(from, this.at);
  }

  text(length: number): string {
    return this.take(length).toString('utf8');
  }

  line(): string {
    const end = this.bytes.indexOf('\n', this.at);
    if (end < 0) throw new RangeError('it is truncated');
    const line = this.bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    return line;
  }

  pop(): Value {
    const value = this.stack.pop();
    if (value === undefined || value === mark) throw new Error('it is damaged');
    return value;
  }

  popped(count: number): Value[] {
    return Array.from({ length: count }, () => this.pop()).reverse();
  }

  toMark(): Value[] {
    const from = this.stack.lastIndexOf(mark);
    if (from < 0) throw new Error('it is damaged');
    return (this.stack.splice(from) as [typeof mark, ...Value[]]).slice(1) as Value[];
  }

  known(index: number): Value {
    const value = this.memo.get(index);
    if (value === undefined) throw new Error('it is damaged');
    return value;
  }

  private act(code: string): void {
    switch (code) {
      case '\x80':
        this.at++;
        return;
      case '\x95':
        this.at += 8;
        return;
      case '(':
        this.stack.push(mark);
        return;
      case 'q':
      case 'r':
        this.remember(this.number(code === 'q' ? 1 : 4));
        return;
      case '\x94':
        this.remember(this.memo.size);
        return;
      case 'a':
      case 'e': {
        const values = code === 'a' ? this.popped(1) : this.toMark();
        const list = this.stack.at(-1);
        if (Array.isArray(list)) append(list, values);
        return;
      }
      case 's':
      case 'u':
        this.set(code === 's' ? this.popped(2) : this.toMark());
        return;
      case 'b': {
        const state = this.pop();
        const thing = this.stack.at(-1);
        // The state is not copied, because a small malicious file could request millions of copies.
        if (thing instanceof Thing && state instanceof Map) thing.state = state;
        return;
      }
      default:
        throw new Error(`it has the code ${JSON.stringify(code)}`);
    }
  }

  private remember(index: number): void {
    const value = this.stack.at(-1);
    if (value === undefined || value === mark) throw new Error('it is damaged');
    this.memo.set(index, value);
  }

  private set(pairs: readonly Value[]): void {
    const dict = this.stack.at(-1);
    if (!(dict instanceof Map)) return;
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const key = pairs[i];
      if (typeof key === 'string') dict.set(key, pairs[i + 1]);
    }
  }
}

/** Opcodes that push one value. */
const pushes: Readonly<Partial<Record<string, (reader: Reader) => Value>>> = {
  '}': () => new Map(),
  ']': () => [],
  ')': () => [],
  N: () => null,
  '\x88': () => true,
  '\x89': () => false,
  K: (reader) => reader.number(1),
  M: (reader) => reader.number(2),
  J: (reader) => reader.number(4) | 0,
  '\x8a': (reader) => longOf(reader),
  G: (reader) => (reader.take(8), 0),
  X: (reader) => reader.text(reader.number(4)),
  '\x8c': (reader) => reader.text(reader.number(1)),
  U: (reader) => reader.text(reader.number(1)),
  h: (reader) => reader.known(reader.number(1)),
  j: (reader) => reader.known(reader.number(4)),
  t: (reader) => reader.toMark(),
  l: (reader) => reader.toMark(),
  '\x85': (reader) => reader.popped(1),
  '\x86': (reader) => reader.popped(2),
  '\x87': (reader) => reader.popped(3),
  c: (reader) => new Thing(`${reader.line()}.${reader.line()}`),
  '\x93': (reader) => new Thing(reader.popped(2).join('.')),
  // This opcode refers to the storage with a tensor's values. Only shapes are read, so the reference becomes null.
  Q: (reader) => (reader.pop(), null),
  R: (reader) => made(reader),
  '\x81': (reader) => made(reader),
};

/** What a call in the pickle creates: an empty dict, a tensor, or for any other call a `Thing`. */
function made(reader: Reader): Value {
  const [type, args] = reader.popped(2);
  const name = type instanceof Thing ? type.type : '';
  if (name === 'collections.OrderedDict') return new Map();
  const [first, , size] = Array.isArray(args) ? args : [];
  if (/^torch\._utils\._rebuild_parameter/.test(name) && first instanceof Tensor) return first;
  if (/^torch\._utils\._rebuild_tensor/.test(name) && Array.isArray(size) && size.length <= mostSides)
    return new Tensor(size.filter((side) => typeof side === 'number'));
  return new Thing(name);
}

/** Reads an integer of up to 255 bytes. Tensor sizes are non-negative and below 2⁵³. */
function longOf(reader: Reader): number {
  return reader.take(reader.number(1)).reduceRight((sum, byte) => 256 * sum + byte, 0);
}
