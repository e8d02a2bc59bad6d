"""Writes the small random LLaVA of test/python, which answers with grades: python write_vlm.py FOLDER CAPTIONS"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import vlm

vlm.save(sys.argv[1], open(sys.argv[2], encoding="utf-8").readlines(), ['{"score": %d}' % grade for grade in range(11)])
