"""Charts: their data are those of the report."""

import camber
import matplotlib
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.fixture(scope="module")
def life():
    return camber.read("results/h200/life.json")


def test_ranking_has_the_fastest_variants_and_the_copy(life, tmp_path):
    ax = life.plot.ranking()
    names = labels(ax.yaxis)
    assert names[0] == "register_stream/32x1/v4/n4/r256/align128"
    assert names[-1] == "global/16x16"  # the baseline of the speedups
    assert len(names) == 21
    assert ax.patches[0].get_width() == pytest.approx(11175, rel=1e-3)
    assert "several generations" in legend(ax)
    assert "NVIDIA H200" in ax.get_title(loc="left")
    assert any(text.get_text().strip() == "11175 GB/s \u00b7 263.3 %" for text in ax.texts)
    ax.figure.savefig(tmp_path / "ranking.png")
    assert len(labels(life.plot.ranking("techniques").yaxis)) == 25
    assert len(labels(life.plot.ranking("all").yaxis)) == 84


def test_charts_are_drawn_into_axes_that_are_given(life):
    _, axes = pyplot.subplots(1, 2)
    assert life.plot.ranking(ax=axes[0]) is axes[0]
    assert life.plot.roofline(ax=axes[1]) is axes[1]
    assert pyplot.get_fignums() == [axes[0].figure.number]


def test_roofline_has_ceilings_and_the_source_of_its_bytes(life):
    ax = life.plot.roofline()
    assert "DRAM, 4243 GB/s" in legend(ax)
    assert "by the model" in legend(ax)
    counted = camber.read("results/h200/life-counters.json").plot.roofline("all")
    assert [text for text in legend(counted) if "GB/s" in text][1].startswith("L2, ")
    assert "by the model" not in legend(counted)
    with pytest.raises(camber.BadInput, match="no level 'L3': choose DRAM"):
        life.plot.roofline("L3")
    with pytest.raises(camber.BadInput, match="no case has bytes of L1"):
        life.plot.roofline("L1")


def test_over_size_has_a_line_for_each_family_and_the_fit(life):
    sizes = camber.read("results/h200/life-sizes.json")
    ax = sizes.plot.over_size()
    assert "copy bandwidth" in legend(ax)
    timed = sizes.plot.over_size(timed=True)
    assert "floor and line" in legend(timed)
    assert timed.get_yscale() == "log"
    with pytest.raises(camber.BadInput, match="several board sizes"):
        life.plot.over_size()
    with pytest.raises(camber.BadInput, match="no series 3"):
        sizes.plot.over_size(series=3)


def test_predicted_compares_times_of_both_files(life, source):
    halo = life.select("halo/*")
    model = camber.model(
        measured=source / "results/h200/life.json", variants="halo/*", progress=False
    )
    ax = (halo + model).plot.predicted()
    assert "median error" in ax.get_title(loc="left")
    assert "equal" in legend(ax)
    with pytest.raises(camber.BadInput, match="add those of camber.model"):
        halo.plot.predicted()


def test_results_without_times_rank_their_predictions():
    model = camber.model(
        "life", variants=["halo/64x4/*", "shared_tile/64x4/*"], size="256x256", progress=False
    )
    ax = model.plot.ranking()
    assert labels(ax.yaxis)[0].startswith("shared_tile/")
    assert ax.get_xlabel() == "bytes moved / bytes needed"
    assert legend(ax) == ["global memory", "shared memory"]
    timed = camber.model(
        "life", variants="halo/64x4/*", size="256x256", ceilings="h200", progress=False
    )
    assert timed.plot.ranking().get_xlabel() == "predicted time per generation, us"


def test_a_wrong_choice_is_one_sentence(life):
    assert life.plot.datasets() == ["life, 16384 x 16384, uint32"]
    assert life.plot.ranking(dataset="life, 16384 x 16384, uint32")
    with pytest.raises(camber.BadInput, match="no data set 4: choose an index from 0 to 0"):
        life.plot.ranking(dataset=4)
    with pytest.raises(camber.BadInput, match="no view 'best': choose fastest"):
        life.plot.ranking("best")
