"""Texts, trees and graphs: their kernels, their drawings, and examples of them."""
