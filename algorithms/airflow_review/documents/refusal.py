"""The refusals of the parsers: class, sentence and remedy, written once."""

from __future__ import annotations

from algorithms.airflow_review.documents.document import InputError, InputProblem


def encrypted(file: str) -> InputError:
    """The file opens with a password only."""
    return InputError(
        InputProblem.ENCRYPTED, file, "文件设有打开密码。", "请去除密码（另存为不加密的文件）后重新上传。"
    )


def damaged(file: str, what: str = "文件不完整或已损坏，无法读取") -> InputError:
    """The file cannot be read, or only in part."""
    return InputError(
        InputProblem.DAMAGED, file, f"{what}。", "请用原软件打开并重新导出或另存，确认内容完整后重新上传。"
    )


def too_large(file: str, what: str) -> InputError:
    """Reading the file would take more memory than one document may take."""
    return InputError(
        InputProblem.TOO_LARGE, file, f"{what}。", "请只保留配风计划或测风报表部分，另存为较小的文件后重新上传。"
    )


def wrong_type(file: str, what: str) -> InputError:
    """The content is not what the name says, or a type that is not read."""
    return InputError(
        InputProblem.WRONG_TYPE,
        file,
        f"{what}。",
        "配风计划请上传 pdf、docx、txt，测风报表请上传 pdf、docx、xlsx、xls、csv；扩展名须与内容一致。",
    )


def empty(file: str, what: str = "文件是空的") -> InputError:
    """Nothing is in the file."""
    return InputError(InputProblem.EMPTY, file, f"{what}。", "请确认选对了文件，并且文件已完整保存后重新上传。")


def no_text(file: str, what: str) -> InputError:
    """Pictures of text, no text."""
    return InputError(
        InputProblem.NO_TEXT,
        file,
        f"{what}，没有可读取的文字。",
        "请上传由 Word、WPS 或 Excel 直接导出的文件；只有扫描件时，请先用文字识别（OCR）软件转换并核对数字。",
    )


def timeout(file: str, seconds: float) -> InputError:
    """Reading took longer than it may."""
    return InputError(
        InputProblem.TIMEOUT,
        file,
        f"读取超过 {seconds:g} 秒，已停止。",
        "请检查文件是否异常（如页面内容极多），拆分或重新导出后再上传。",
    )


def missing(file: str) -> InputError:
    """There is no such file."""
    return InputError(InputProblem.MISSING, file, "找不到该文件。", "请检查文件名和路径后重试。")
