/* Simulates the coverage of intervals and the Type-I error of tests, and prints the table of docs/statistics.md. */
import { Xoshiro } from '../src/base/xoshiro';
