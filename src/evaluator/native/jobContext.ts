/** What a job in the child process can use besides its request. */
export interface JobContext {
  /** Yields to the event loop, so that messages arrive. Throws if the job was cancelled. */
  pause: () => Promise<void>;
  /** Reports progress to the parent. */
  step: () => void;
}
