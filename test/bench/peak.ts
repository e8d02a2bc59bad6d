import { readFileSync } from 'node:fs';

/**
 * The peak memory of this process in bytes. The system's number is for this program alone, while that of
 * getrusage includes the parent process.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
