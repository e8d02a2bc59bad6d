/** What a job in the child needs of its surroundings. */
export interface JobContext {
  /** Throws where the job was cancelled; lets messages in first. */
  pause: () => Promise<void>;
  /** Tells the parent that something moved. */
  step: () => void;
}
