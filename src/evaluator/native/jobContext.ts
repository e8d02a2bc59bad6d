/** What a job in the child process needs from its surroundings. */
export interface JobContext {
  /** Lets messages arrive. Throws if the job was cancelled. */
  pause: () => Promise<void>;
  /** Reports progress to the parent. */
  step: () => void;
}
