import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { errorOf } from '../protocol/failure';
import { Child } from './child';
import { fromHelper, type FromHelper, type ToHelper } from '../protocol/workshop';

/** Opening an evaluator may take its time; whatever takes longer hangs. */
const deadlineMs = 120_000;

interface Waiting {
  resolve: (message: FromHelper) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

type Question<T extends ToHelper['type']> = Omit<Extract<ToHelper, { type: T }>, 'id' | 'type'>;
interface Answers {
  mine: 'mined';
  read: 'readings';
  photo: 'photo';
  sample: 'sampled';
}
export type AnswerTo<T extends ToHelper['type']> = Extract<FromHelper, { type: Answers[T] }>;

/** The workshop's process, from this side: started by the first question, and again after it was lost. */
export class Helper {
  private child: Child<FromHelper, ToHelper> | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly script: string,
    private readonly needTrust: () => void,
  ) {}

  async ask<T extends ToHelper['type']>(type: T, question: Question<T>): Promise<AnswerTo<T>> {
    if (type !== 'mine') this.needTrust();
    const answer = await new Promise<FromHelper>((resolve, reject) => {
      const id = ++this.lastId;
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(lost('did not answer in time'));
        this.child?.kill();
      }, deadlineMs);
      this.waiting.set(id, { resolve, reject, timer });
      this.start().send({ type, ...question, id } as unknown as ToHelper);
    });
    return answer as AnswerTo<T>;
  }

  /** Ends what it is at; the next question starts it again. */
  dispose(): void {
    this.child?.kill();
  }

  private start(): Child<FromHelper, ToHelper> {
    this.child ??= new Child<FromHelper, ToHelper>(this.script, {
      check: fromHelper,
      onMessage: (message) => {
        const waiting = this.waiting.get(message.id);
        if (waiting === undefined) return;
        this.waiting.delete(message.id);
        clearTimeout(waiting.timer);
        if (message.type !== 'refused') waiting.resolve(message);
        else waiting.reject(errorOf(message.failure));
      },
      onExit: ({ words }) => {
        this.child = undefined;
        for (const { reject, timer } of this.waiting.values()) {
          clearTimeout(timer);
          reject(lost(words));
        }
        this.waiting.clear();
      },
    });
    return this.child;
  }
}

/** `words`: what it said at the end, if anything. */
function lost(words: string): CaptiousError {
  const what =
    words === '' ? say`The process of the workshop ended.` : say`The process of the workshop ended: ${words}`;
  return new CaptiousError('interrupted', what, { remedy: say`Try again.` });
}
