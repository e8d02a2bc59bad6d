import { type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/files/cannotWrite';
import { CaptiousError, messageOf } from '../../../base/errors';
import { whileHeld } from '../../../base/files/lease';
import { chunksOf, linesOf } from '../../../base/files/readFile';
import { ownerOnly, replaceFile } from '../../../base/files/writeFile';
import { say } from '../../../base/say';
import { object, type Shape, text } from '../../../base/shape';
import { answerShape, type Body } from '../endpoint/chatForm';

/** One imported answer: the request's id, and the server's response body as `answerShape` reads it. */
interface Kept {
  id: string;
  body: Body;
}

const keptShape: Shape<Kept> = object({ id: text, body: answerShape });

/** Imported answers of batches, in one file per judge. */
export class BatchAnswers {
  private readonly path: string;

  constructor(home: string, judge: string) {
    this.path = join(home, 'batches-1', `${judge}.jsonl`);
  }

  /** The imported answers by request id. */
  async read(): Promise<Map<string, Body>> {
    const answers = new Map<string, Body>();
    try {
      for await (const line of linesOf(chunksOf(this.path), this.path)) {
        if (line === '') continue;
        const { id, body } = keptShape(JSON.parse(line), '');
        answers.set(id, body);
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return answers;
      const reason = messageOf(cause).replace(/\.$/, '');
      throw new CaptiousError('evaluator', say('judge.importedAnswersUnreadable', reason), {
        at: this.path,
        remedy: say('judge.importAnswersAgain'),
        cause,
      });
    }
    return answers;
  }

  /** Adds answers and returns the number of new ones. Existing answers stay. */
  async add(answers: ReadonlyMap<string, Body>): Promise<number> {
    await makeFolder(dirname(this.path));
    return whileHeld(`${this.path}.lock`, async () => {
      const all = await this.read();
      const before = all.size;
      for (const [id, body] of answers) if (!all.has(id)) all.set(id, body);
      const write = async (file: FileHandle): Promise<void> => {
        for (const [id, body] of all) await file.writeFile(`${JSON.stringify({ id, body })}\n`);
      };
      if (all.size > before) await replaceFile(this.path, write, ownerOnly);
      return all.size - before;
    });
  }
}
