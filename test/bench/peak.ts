import { readFileSync } from 'node:fs';

/**
 * The most memory this process has held, in bytes, from the system's figures for
 * this program alone: those of getrusage include its parent process.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
