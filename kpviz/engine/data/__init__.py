"""Data sets: toy geometries, tables, drawn points, Boolean functions, texts, trees and graphs."""
