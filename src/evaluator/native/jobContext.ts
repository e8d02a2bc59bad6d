/** A job's context in the child process. */
export interface JobContext {
  /** Yields to the event loop, which lets messages arrive. Throws if the job was cancelled. */
  pause: () => Promise<void>;
  /** Reports progress to the parent. */
  step: () => void;
}
